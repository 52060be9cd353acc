"""Compares any two records of one rig in any metric: paired where raw samples allow it."""

from __future__ import annotations

import math
from collections.abc import Iterable

from orchestrator.analysis.objectives import direction_of, is_exact, scale_of
from orchestrator.analysis.pooling import SPEEDS, Spreads, spreads
from orchestrator.analysis.records import Measured
from workers.contract.outcome import Estimate, Sample
from workers.contract.reports import RigKind
from workers.statistics.comparison import Comparison, Scale, compare_effect
from workers.statistics.launches import Launches, by_launch, prompts_of
from workers.statistics.paired import (
    CUDA_PPL_FLOOR,
    compare_divergence,
    compare_launches,
    compare_perplexity,
)
from workers.statistics.quantiles import t_quantile

_AS = {"speedup": "tok_s", "ppl_delta_pct": "ppl"}  # over one baseline the order is the same
_MANY = 1e6  # degrees of freedom of an interval that does not tell its own


class Comparer:
    """Remembers what it has summarised. Give it the records of ONE rig.

    Two records are compared, in this order: exactly (capacity, memory, replayed numbers); paired
    by prompt or by chunk; from their two intervals, as if independent. When none is possible the
    comparison is a tie: nothing is shown.
    """

    def __init__(self, records: Iterable[Measured], known: Spreads | None = None) -> None:
        records = tuple(records)
        self._spreads = spreads(records) if known is None else known
        self._prompts: dict[tuple[int, str], frozenset[str]] = {}
        self._launches: dict[tuple[int, str, frozenset[str]], Launches | None] = {}
        self._made: dict[tuple[int, int, str], Comparison] = {}

    def compare(self, a: Measured, b: Measured, metric: str) -> Comparison:
        """`a` against `b`; raises ValueError when one of them has no value for the metric."""
        key = (a.trial_id, b.trial_id, metric)
        if key not in self._made:
            self._made[key] = self._compare(a, b, metric)
        return self._made[key]

    def _compare(self, a: Measured, b: Measured, metric: str) -> Comparison:
        x, y = a.value(metric), b.value(metric)
        if x is None or y is None:
            raise ValueError(f"{metric} was not measured for both candidates")
        if is_exact(metric) or (a.simulated and b.simulated):
            return _effect(metric, x, y, 0.0)
        same_baseline = a.baseline_id is not None and a.baseline_id == b.baseline_id
        as_metric = _AS.get(metric, metric) if same_baseline else metric
        if as_metric in SPEEDS and (made := self._paired_speed(a, b, as_metric)):
            return made
        floor = CUDA_PPL_FLOOR if RigKind.CUDA in (a.rig_kind, b.rig_kind) else 0.0
        if as_metric == "ppl" and _share_labels(a.chunks, b.chunks):
            return compare_perplexity(a.chunks, b.chunks, floor)
        if as_metric == "kld_mean" and _share_labels(a.divergence, b.divergence):
            return compare_divergence(a.divergence, b.divergence)
        widths = [_half_width(r.estimates[metric], metric) for r in (a, b)]
        if None in widths:
            return _effect(metric, x, y, None)
        return _effect(metric, x, y, math.hypot(*(w or 0.0 for w in widths)) / t_quantile(_MANY))

    def _paired_speed(self, a: Measured, b: Measured, metric: str) -> Comparison | None:
        common = self._prompts_of(a, metric) & self._prompts_of(b, metric)
        sides = [self._by_launch(record, metric, common) for record in (a, b)]
        if None in sides:
            return None
        return compare_launches(sides[0], sides[1], self._spreads.get(metric))

    def _prompts_of(self, record: Measured, metric: str) -> frozenset[str]:
        key = (record.trial_id, metric)
        if key not in self._prompts:
            self._prompts[key] = prompts_of(record.requests_of(metric), SPEEDS[metric])
        return self._prompts[key]

    def _by_launch(self, record: Measured, metric: str, prompts: frozenset[str]) -> Launches | None:
        key = (record.trial_id, metric, prompts)
        if key not in self._launches:
            requests = record.requests_of(metric)
            self._launches[key] = by_launch(requests, SPEEDS[metric], prompts)
        return self._launches[key]


def _share_labels(a: tuple[Sample, ...], b: tuple[Sample, ...]) -> bool:
    return not {chunk.label for chunk in a}.isdisjoint(chunk.label for chunk in b)


def _half_width(estimate: Estimate, metric: str) -> float | None:
    """Half the interval on the scale of the metric's effects."""
    if estimate.low is None or estimate.high is None:
        return None
    if scale_of(metric) is Scale.DIFFERENCE:
        return (estimate.high - estimate.low) / 2
    if estimate.low <= 0:
        return None
    return math.log(estimate.high / estimate.low) / 2


def _effect(metric: str, x: float, y: float, se: float | None) -> Comparison:
    scale = scale_of(metric)
    if scale is not Scale.DIFFERENCE and not (x > 0 and y > 0):
        scale = Scale.DIFFERENCE
    effect = x - y if scale is Scale.DIFFERENCE else math.log(x / y)
    note = "" if se is not None else "neither repeated launches nor an interval"
    return compare_effect(
        metric, effect, se, _MANY, scale=scale, direction=direction_of(metric), note=note
    )
