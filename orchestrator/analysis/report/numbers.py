"""From estimates and comparisons to the numbers of a report: each with its interval or a reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from orchestrator.analysis.headings import heading
from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.document import Column, Number
from search_spaces.metrics import METRICS, Facet
from workers.contract.outcome import Estimate, Sample
from workers.statistics.comparison import Comparison

_ONE_LAUNCH = "one launch only: how far launches differ is not known"
_WHOLE_RUN = "kept for the whole run, not for each launch"
_WHY = {
    "mem_predicted_mib": "computed by the memory model, not measured",
    "draft_n": "a count",
    "depth_max": "a count",
    "kld_p999": "the largest quantile of any chunk",
    "same_top_pct": "kept for all chunks together",
    "power_w": _WHOLE_RUN,
}
_WHY_FACET = {
    Facet.MEMORY: "the highest reading of the run",
    Facet.THROUGHPUT: _ONE_LAUNCH,
    Facet.PERPLEXITY: "one chunk of text only",
    Facet.DIVERGENCE: "one chunk of text only",
    Facet.DEPTH: _ONE_LAUNCH,
    Facet.QUALITY: "each task was tried once",
}


def number_of(record: Measured, metric: str) -> Number | None:
    """A record's number, None where it was not measured."""
    found = record.estimates.get(metric)
    if found is None:
        return None
    return of_estimate(found, record.simulated, launches_of(record.throughput))


def launches_of(samples: Iterable[Sample]) -> int:
    """On how many launches requests rest."""
    return len({sample.launch for sample in samples})


def of_estimate(found: Estimate, simulated: bool = False, launches: int = 1) -> Number:
    """An estimate as a number, with the reason where it has no interval."""
    known = found.low is not None and found.high is not None
    why = "" if known else _reason(found.metric, simulated, launches)
    return Number(found.metric, found.value, found.low, found.high, found.n, why)


def _reason(metric: str, simulated: bool, launches: int) -> str:
    if simulated:
        return "replayed, not measured"
    facet = METRICS[metric].facet if metric in METRICS else None
    why = _WHY.get(metric) or (_WHY_FACET.get(facet) if facet else None) or "measured once"
    return _WHOLE_RUN if why == _ONE_LAUNCH and launches > 1 else why


def of_comparison(metric: str, made: Comparison) -> Number:
    """A ratio, a change or a difference, shown like `metric`."""
    why = "" if made.low is not None and made.high is not None else made.note or "not repeated"
    return Number(metric, made.value, made.low, made.high, why=why)


def measured(records: Iterable[Measured], metrics: Iterable[str]) -> tuple[str, ...]:
    """Those of the metrics that any of the records has, each once."""
    records = tuple(records)
    return tuple(
        metric
        for metric in dict.fromkeys(metrics)
        if any(metric in record.estimates for record in records)
    )


def metric_columns(metrics: Sequence[str]) -> tuple[Column, ...]:
    """A column for each metric, its key the metric's name."""
    return tuple(Column(metric, heading(metric)) for metric in metrics)


def of_facet(facet: Facet) -> tuple[str, ...]:
    """Every metric of a facet, in the registry's order."""
    return tuple(name for name, metric in METRICS.items() if metric.facet is facet)
