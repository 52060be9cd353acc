"""Perplexity and divergence of one candidate: the engine's own method, chunk by chunk."""

from __future__ import annotations

import math
from collections.abc import Sequence

from search_spaces.metrics import Facet
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import Estimate, FacetResult, Sample
from workers.engines.base import EngineError
from workers.facets import estimates
from workers.facets.known import known_bugs_of
from workers.facets.planned import build_of
from workers.facets.setting import Setting
from workers.statistics.flags import chunk_flags
from workers.trace import Trace

# What is measured on a text, and the sum that each chunk must bring.
SUMS = {Facet.PERPLEXITY: "nll", Facet.DIVERGENCE: "kld"}


def score(facet: Facet, setting: Setting, trace: Trace) -> FacetResult:
    """Measures one text facet. Raises EngineError, also for results that are no numbers."""
    job, build = setting.job, build_of(setting, "logits")
    phase = Phase(facet.value)
    setting.check(phase)
    with trace.measuring():
        samples = _scored(facet, setting)
    made = _estimated(facet, samples, phase)
    flags = (*chunk_flags(samples), *known_bugs_of(setting, trace, facet))
    return FacetResult(facet, job.memo[facet], build, made, tuple(samples), flags)


def _scored(facet: Facet, setting: Setting) -> list[Sample]:
    candidate, assets, rig = setting.job.resolved.candidate, setting.assets, setting.rig
    recipe, log = setting.job.recipe, setting.log_dir / f"{facet}.log"
    if facet is Facet.PERPLEXITY:
        return setting.engine.perplexity(candidate, assets, rig, recipe.perplexity, log)
    return setting.engine.divergence(candidate, assets, rig, recipe.divergence, log)


def _estimated(facet: Facet, samples: Sequence[Sample], phase: Phase) -> tuple[Estimate, ...]:
    """The estimates, where every chunk is a number that they can be made of."""
    key = SUMS[facet]
    if not samples or not all(s.values.get("tokens", 0.0) > 0 for s in samples):
        raise _broken(f"{facet}: no token was scored", phase)
    if not all(math.isfinite(sample.values.get(key, math.nan)) for sample in samples):
        raise _broken(f"{facet}: a chunk's {key} is not a number", phase)
    try:
        return (estimates.perplexity if facet is Facet.PERPLEXITY else estimates.divergence)(
            samples
        )
    except OverflowError:
        raise _broken(f"{facet}: the result is too large for a number", phase) from None


def _broken(evidence: str, phase: Phase) -> EngineError:
    diagnosis = Diagnosis(
        FailureKind.QUALITY_BROKEN,
        evidence,
        "The model's output is broken with these types; use another KV type or quant.",
        deterministic=True,
    )
    return EngineError(diagnosis, phase)
