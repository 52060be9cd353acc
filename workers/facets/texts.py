"""Perplexity and divergence of one candidate: the engine's own method, chunk by chunk."""

from __future__ import annotations

from search_spaces.metrics import Facet
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import Estimate, FacetResult, Sample
from workers.engines.base import EngineError
from workers.facets import estimates
from workers.facets.setting import Setting
from workers.trace import Trace


def score(facet: Facet, setting: Setting, trace: Trace) -> FacetResult:
    """Measures one text facet. Raises EngineError, also for results that are no numbers."""
    job, engine = setting.job, setting.engine
    setting.check(Phase.PERPLEXITY)
    candidate = job.resolved.candidate
    log = setting.log_dir / f"{facet}.log"
    made: tuple[Estimate, ...]
    with trace.measuring():
        if facet is Facet.PERPLEXITY:
            samples = engine.perplexity(
                candidate, setting.assets, setting.rig, job.recipe.perplexity, log
            )
            made = estimates.perplexity(samples)
        else:
            samples = engine.divergence(
                candidate, setting.assets, setting.rig, job.recipe.divergence, log
            )
            made = estimates.divergence(samples)
    _finite(made, facet, samples)
    build = engine.probe().build("logits")
    assert build is not None, "an engine that scored a text has a logits build"
    return FacetResult(facet, job.memo[facet], build, made, tuple(samples))


def _finite(made: tuple[Estimate, ...], facet: Facet, samples: list[Sample]) -> None:
    broken = [e.metric for e in made if not abs(e.value) < float("inf")]
    if broken or not samples:
        what = ", ".join(broken) or "no chunk"
        diagnosis = Diagnosis(
            FailureKind.QUALITY_BROKEN,
            f"{facet}: {what} is not a number",
            "The model's output is broken with these types; use another KV type or quant.",
            deterministic=True,
        )
        raise EngineError(diagnosis, Phase(str(facet)))
