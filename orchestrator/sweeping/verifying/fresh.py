"""From the runs of a verification to one fresh record for each candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orchestrator.analysis.records import Measured, State
from search_spaces.metrics import METRICS
from workers.contract.failure import Diagnosis
from workers.contract.outcome import Estimate, FacetResult
from workers.statistics.rate import estimates
from workers.statistics.ratios import RATIOS


def fresh_record(
    first: Measured, runs: Sequence[Sequence[FacetResult]], failure: Diagnosis | None
) -> Measured:
    """The candidate as its runs measured it: each is one more launch.

    What does not depend on the rig (perplexity, divergence, quality) is the sweep's: the same
    build gives the same number on the same text.
    """
    samples = tuple(
        replace(sample, launch=launch)
        for launch, results in enumerate(runs)
        for result in results
        for sample in result.samples
    )
    kept = {
        name: estimate
        for name, estimate in first.estimates.items()
        if name in METRICS and not METRICS[name].facet.belongs_to_rig and not METRICS[name].derived
    }
    told = [estimate for results in runs for result in results for estimate in result.estimates]
    made = {one.metric: one for one in (*_over_runs(told), *estimates(samples))}
    return replace(
        first,
        state=State.FAILED if failure is not None else State.COMPLETE,
        failure=failure,
        estimates={**kept, **made},
        throughput=samples,
        deep=(),
        flags=(),
        again=(),
        verification=None,
        verified=False,
        baseline_id=None,
    )


def _over_runs(told: Sequence[Estimate]) -> list[Estimate]:
    """Means of what is not made of samples (power, energy, memory), the most of peaks."""
    made = []
    for metric in sorted({estimate.metric for estimate in told} - RATIOS.keys()):
        values = [estimate.value for estimate in told if estimate.metric == metric]
        peak = metric.startswith("mem_")
        value = max(values) if peak else sum(values) / len(values)
        made.append(Estimate(metric, value, n=len(values)))
    return made
