"""From an open trial and some of its facets to a job."""

from __future__ import annotations

import random
import uuid
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from orchestrator.sweeping.desk import Desk
from orchestrator.sweeping.goals import group_of, loss_metric
from orchestrator.sweeping.ledger import Ledger
from orchestrator.sweeping.rules.memory import prediction_for
from orchestrator.sweeping.trial import OpenTrial
from search_spaces.metrics import Facet
from search_spaces.space import Space
from workers.contract.job import Job, StoppingRule
from workers.contract.resolved import ResolvedCandidate
from workers.memory.of_candidate import predicted_mib

DEEP = frozenset({Facet.DEPTH, Facet.MEMORY})  # what the deep requests are made for


def make_job(
    space: Space,
    desk: Desk,
    ledger: Ledger,
    trial: OpenTrial,
    facets: Mapping[Facet, str],
    log_root: Path,
) -> Job:
    """The job, with its stopping rule. A baseline is never stopped early: others refer to it."""
    attempt = ledger.attempt(facets.values(), desk.rig.name)
    spread = ledger.spread(desk.hardware)
    if trial.is_anchor:
        launches = space.drift.launches
        return fresh_job(space, trial.resolved, facets, launches, log_root, attempt, spread)
    recipe = space.measure
    loss = loss_metric(space)
    known = ledger.estimates(trial.text_keys.values()).get(loss) if loss else None
    stop = StoppingRule(
        precision=recipe.throughput.precision,
        budget_s=recipe.throughput.budget_s,
        to_beat=() if trial.is_baseline else tuple(desk.points[group_of(space, trial.candidate)]),
        loss=known.value if known else None,
        spread=spread,
    )
    job_id = uuid.uuid4().hex[:16]
    return Job(
        id=job_id,
        resolved=trial.resolved,
        engine=space.engines[trial.candidate.engine],
        facets=tuple(sorted(facets)),
        recipe=recipe,
        memo=dict(facets),
        stop=stop,
        known_effective=frozenset(desk.known),
        deep=Facet.DEPTH in space.facets and not facets.keys().isdisjoint(DEEP),
        seed=random.Random(trial.resolved.key).randrange(2**31),
        attempt=attempt,
        log_dir=str(log_root / job_id),
        mem_predicted_mib=_predicted_mib(desk, trial),
    )


def fresh_job(
    space: Space,
    resolved: ResolvedCandidate,
    memo: Mapping[Facet, str],
    launches: int,
    log_root: Path,
    attempt: int = 1,
    spread: tuple[float, float] | None = None,
) -> Job:
    """A job that measures what is known already, on keys of its own (`workers.contract.memo`).

    Neither a launch that is known nor a candidate that is better ends it early. Its prompts come
    in another order than those of any other job.
    """
    throughput = space.measure.throughput
    run = throughput.model_copy(update={"launches": launches})
    job_id = uuid.uuid4().hex[:16]
    return Job(
        id=job_id,
        resolved=resolved,
        engine=space.engines[resolved.candidate.engine],
        facets=tuple(sorted(memo)),
        recipe=space.measure.model_copy(update={"throughput": run}),
        memo=dict(memo),
        stop=StoppingRule(throughput.precision, throughput.budget_s, spread=spread),
        seed=random.Random(min(memo.values())).randrange(2**31),
        attempt=attempt,
        log_dir=str(log_root / job_id),
    )


def _predicted_mib(desk: Desk, trial: OpenTrial) -> float | None:
    prediction = prediction_for(desk.ground, trial.candidate)
    return None if prediction is None else predicted_mib(prediction, desk.rig)


def effective_job(desk: Desk, job: Job, effective: Mapping[str, object]) -> Job:
    """The same job under the keys of what the engine really did."""
    resolved = job.resolved.with_effective(dict(effective))  # type: ignore[arg-type]
    memo = desk.resolver.memo(resolved)
    return replace(job, resolved=resolved, memo={facet: memo[facet] for facet in job.memo})
