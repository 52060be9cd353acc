"""A candidate whose ceiling is looked for on one rig: its grid, its keys, what is expected."""

from __future__ import annotations

import random
import uuid
from dataclasses import dataclass, replace
from pathlib import Path

from orchestrator.analysis.ceiling.attempt import Attempt, attempt_of
from orchestrator.analysis.ceiling.grid import Grid
from orchestrator.analysis.ceiling.search import Search
from orchestrator.sweeping.ceiling.prediction import predicted_ctx, spare_mib
from orchestrator.sweeping.resolve import Resolver
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.rules.registry import excluded
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.recipe import NEAR_FULL, DepthRecipe, Recipe
from workers.contract.errors import OrchestrateError
from workers.contract.job import Job
from workers.contract.memo import attempts_key, memo_key
from workers.contract.outcome import Outcome
from workers.contract.resolved import ResolvedCandidate

UNKNOWN_LIMIT = 1_048_576  # tokens looked at where the model does not tell what it is made for


class NoCeilingError(OrchestrateError):
    """The candidate runs at no context here, so there is nothing to look for."""

    exit_code = 3


@dataclass(frozen=True)
class Entry:
    """`attempts` is the key of every attempt, `key` that of the answer, `guess` in tokens.

    `model_limit` is the context that the model was trained for, None where its file does not say.
    """

    ground: Ground
    candidate: Candidate
    grid: Grid
    key: str
    attempts: str
    model_limit: int | None
    guess: int | None

    @property
    def rig(self) -> str:
        """The rig's name."""
        return self.ground.rig.name

    def search(self) -> Search:
        """A search that knows of no attempt yet."""
        return Search(self.grid, self.guess, self.ground.space.measure.ceiling.attempts)

    def attempt(self, outcome: Outcome, ctx: int) -> Attempt | None:
        """An outcome as an attempt; None where the machinery failed."""
        return attempt_of(outcome, ctx, spare_mib(self.ground, self._at(ctx)))

    def resolved(self, ctx: int) -> ResolvedCandidate:
        """The candidate at a context, with content hashes."""
        ground = self.ground
        return Resolver(ground.space, ground.rig, ground.host).resolve(self._at(ctx))

    def job(self, ctx: int, number: int, log_root: Path) -> Job:
        """One attempt: a launch, its warm-up, and near-full requests."""
        space, job_id = self.ground.space, uuid.uuid4().hex[:16]
        return Job(
            id=job_id,
            resolved=self.resolved(ctx),
            engine=space.engines[self.candidate.engine],
            facets=(Facet.CEILING,),
            recipe=_one_launch(space.measure),
            memo={Facet.CEILING: self.attempts},
            deep=True,
            seed=random.Random(f"{self.attempts}/{ctx}/{number}").randrange(2**31),
            attempt=number,
            log_dir=str(log_root / job_id),
        )

    def _at(self, ctx: int) -> Candidate:
        return replace(self.candidate, ctx=ctx)


def make_entry(ground: Ground, candidate: Candidate) -> Entry:
    """Raises NoCeilingError for a candidate that a rule excludes at the shortest context too."""
    how = ground.space.measure.ceiling
    model = ground.model(candidate)
    trained = model.header.get("n_ctx_train") if model else None
    limit = trained if isinstance(trained, int) and trained > 0 else None
    top = min(how.most or UNKNOWN_LIMIT, limit or UNKNOWN_LIMIT)
    grid = Grid(how.step, top)
    shortest = replace(candidate, ctx=grid.ctx(1))
    why = excluded(ground, shortest)
    if why is not None:
        raise NoCeilingError(
            f"{candidate.model} with {candidate.kv} has no ceiling on {ground.rig.name}, since it "
            f"cannot run there at all: {why.reason.rstrip('.')}.",
            "Choose another candidate, or see what can run with: orchestrate plan.",
        )
    resolved = Resolver(ground.space, ground.rig, ground.host).resolve(shortest)
    recipe = ground.space.measure
    return Entry(
        ground,
        candidate,
        grid,
        key=memo_key(Facet.CEILING, resolved, ground.rig, recipe, {}),
        attempts=attempts_key(resolved, ground.rig, recipe),
        model_limit=limit,
        guess=predicted_ctx(ground, shortest, grid),
    )


def _one_launch(recipe: Recipe) -> Recipe:
    """The recipe of an attempt: nothing is timed, the near-full request is made again and again."""
    how = recipe.ceiling
    throughput = recipe.throughput.model_copy(
        update={"launches": 1, "passes": 1, "max_passes": 1, "fill": 0.0, "predict": how.predict}
    )
    depth = DepthRecipe(
        depths=(NEAR_FULL,), predict=how.predict, passes=how.requests, limit_s=how.limit_s
    )
    return recipe.model_copy(update={"throughput": throughput, "depth": depth})
