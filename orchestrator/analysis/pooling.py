"""The launch spread of each rig, learnt from the whole sweep, and the intervals it narrows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from orchestrator.analysis.records import Measured, State
from workers.statistics.depths import DEEP_RATIOS, SPEED_AT, curve
from workers.statistics.launches import by_launch
from workers.statistics.rate import of_launches
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import Spread, pool

Spreads = dict[str, Spread]

SPEEDS = RATIOS | DEEP_RATIOS
"""Every metric that is a ratio of sums over requests."""


def spreads(records: Iterable[Measured]) -> Spreads:
    """By metric, over the records of ONE rig; metrics that are shares are not pooled."""
    records = [r for r in records if r.state is State.COMPLETE]
    found: Spreads = {}
    for metric, ratio in SPEEDS.items():
        if not ratio.relative:
            continue
        launches = [by_launch(record.requests_of(metric), ratio) for record in records]
        spread = pool(one.scores for one in launches if one is not None)
        if spread is not None:
            found[metric] = spread
    return found


def spreads_by_rig(records: Iterable[Measured]) -> dict[str, Spreads]:
    """The spreads of every rig."""
    rigs: dict[str, list[Measured]] = defaultdict(list)
    for record in records:
        rigs[record.rig].append(record)
    return {rig: spreads(own) for rig, own in rigs.items()}


def with_pooled_intervals(records: Sequence[Measured]) -> tuple[Measured, ...]:
    """Throughput and depth estimates made anew from raw samples, with each rig's spread.

    What a worker reported from its own few launches is much wider, because two launches alone
    cannot say how far launches differ.
    """
    by_rig = spreads_by_rig(records)
    return tuple(_again(record, by_rig[record.rig]) for record in records)


def _again(record: Measured, known: Spreads) -> Measured:
    if record.state is not State.COMPLETE:
        return record
    made = (
        of_launches(launches, known.get(metric))
        for metric, ratio in SPEEDS.items()
        if (launches := by_launch(record.requests_of(metric), ratio)) is not None
    )
    return replace(record.with_estimates(*made), depths=curve(record.deep, _shallow(known)))


def _shallow(known: Spreads) -> Spreads:
    """The spreads at depth under the names that a curve has for its metrics."""
    return {SPEED_AT[deep]: known[deep] for deep in SPEED_AT if deep in known}
