"""About how long a plan takes, guessed from the recipe. A sweep that runs knows better."""

from __future__ import annotations

from orchestrator.sweeping.plan import Plan, RigPlan
from search_spaces.metrics import Facet
from search_spaces.parameters import candidate_of
from search_spaces.recipe import DepthRecipe, QualityRecipe

START_S = 4.0  # one engine start, small model
TOKEN_S = {"cpu": 1 / 40, "cuda": 1 / 100}
PROMPT_TOKEN_S = {"cpu": 1 / 300, "cuda": 1 / 3000}
CHUNK_S = {"cpu": 4.0, "cuda": 0.5}
PROGRAM_TOKENS, PROGRAM_S = 1000, 5.0  # one program: to write it, and to run it


def estimate_s(plan: Plan, rig: RigPlan) -> float:
    """Seconds, roughly. Text measurements are shared by candidates that differ elsewhere."""
    space, kind = plan.space, rig.rig.kind.value
    recipe = space.measure
    trials = min(len(rig.feasible), space.budget.trials)
    run = recipe.throughput
    prompts = run.prompts or 12
    serving = run.launches * START_S + min(
        run.budget_s, run.launches * run.passes * prompts * run.predict * TOKEN_S[kind]
    )
    candidates = [candidate_of(assignment) for assignment in rig.feasible]
    if Facet.DEPTH in space.facets and candidates:
        ctx = sum(candidate.ctx for candidate in candidates) / len(candidates)
        serving += run.launches * _deep_s(recipe.depth, int(ctx), kind)
    texts = 0.0
    distinct = {(c.engine, c.model, c.kv_k, c.kv_v) for c in candidates}
    for facet, how in (
        (Facet.PERPLEXITY, recipe.perplexity),
        (Facet.DIVERGENCE, recipe.divergence),
    ):
        if facet in space.facets:
            texts += (how.chunks or 32) * CHUNK_S[kind] * how.n_ctx / 512
    if Facet.QUALITY in space.facets:
        texts += START_S + _programs(recipe.quality) * (PROGRAM_S + PROGRAM_TOKENS * TOKEN_S[kind])
    return trials * serving + min(trials, len(distinct)) * texts


def _deep_s(how: DepthRecipe, ctx: int, kind: str) -> float:
    """One launch's requests with a filled context: long prompts, then a few tokens each."""
    depths = how.tokens(ctx).values()
    answers = len(depths) * how.predict * TOKEN_S[kind]
    return how.passes * how.prompts * (sum(depths) * PROMPT_TOKEN_S[kind] + answers)


def _programs(recipe: QualityRecipe) -> int:
    """How many programs are generated; a group counts as the tasks that it has."""
    from workers.quality.task import load_tasks

    return recipe.repetitions * len(load_tasks(recipe.tasks))


def spoken(seconds: float) -> str:
    """A duration as people say it: 40 s, 12 min, 3 h 20 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
