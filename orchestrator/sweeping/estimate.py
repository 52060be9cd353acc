"""About how long a plan takes, guessed from the recipe. A sweep that runs knows better."""

from __future__ import annotations

from orchestrator.sweeping.plan import Plan, RigPlan
from search_spaces.metrics import Facet
from search_spaces.parameters import candidate_of

START_S = 4.0  # one engine start, small model
TOKEN_S = {"cpu": 1 / 40, "cuda": 1 / 100}
CHUNK_S = {"cpu": 4.0, "cuda": 0.5}


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
    texts = 0.0
    distinct = {(c.engine, c.model, c.kv_k, c.kv_v) for c in map(candidate_of, rig.feasible)}
    for facet, how in (
        (Facet.PERPLEXITY, recipe.perplexity),
        (Facet.DIVERGENCE, recipe.divergence),
    ):
        if facet in space.facets:
            texts += (how.chunks or 32) * CHUNK_S[kind] * how.n_ctx / 512
    return trials * serving + min(trials, len(distinct)) * texts


def spoken(seconds: float) -> str:
    """A duration as people say it: 40 s, 12 min, 3 h 20 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
