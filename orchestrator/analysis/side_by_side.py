"""Two engines, builds, rigs or sweeps, compared on the candidates that both have measured."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.objectives import direction_of, scale_of
from orchestrator.analysis.pooling import Spreads, spreads
from orchestrator.analysis.records import Measured, State
from search_spaces.candidate import Candidate
from workers.statistics.comparison import Comparison, Verdict, compare_effect


@dataclass(frozen=True, slots=True)
class Pair:
    """One candidate on both sides, and the second against the first."""

    first: Measured
    second: Measured
    made: Comparison


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Every pair; `overall` is the mean of their effects with its interval, None of no pair.

    `alone` counts the candidates that only one side has, the first side's first.
    """

    metric: str
    pairs: tuple[Pair, ...]
    overall: Comparison | None
    alone: tuple[int, int]

    def count(self, verdict: Verdict) -> int:
        """How many pairs have this verdict, seen from the second side."""
        return sum(pair.made.verdict is verdict for pair in self.pairs)


def side_by_side(first: Sequence[Measured], second: Sequence[Measured], metric: str) -> SideBySide:
    """Pairs candidates that are equal in everything but their engine, and compares them.

    Each pair is compared as two candidates of one rig are: paired by prompt or chunk where both
    have the samples. Launches are as unsteady as on the less steady side. The mean over pairs
    takes each candidate as one observation: its interval says what to expect of another one.
    """
    a, b = _by_candidate(first, metric), _by_candidate(second, metric)
    comparer = Comparer((), _wider(spreads(first), spreads(second)))
    pairs = tuple(
        Pair(a[key], b[key], comparer.compare(b[key], a[key], metric)) for key in a if key in b
    )
    alone = (len(a.keys() - b.keys()), len(b.keys() - a.keys()))
    return SideBySide(metric, pairs, _overall(pairs, metric), alone)


def _by_candidate(records: Iterable[Measured], metric: str) -> dict[Candidate, Measured]:
    """The first record of each candidate whose value is a number."""
    found: dict[Candidate, Measured] = {}
    for record in records:
        value = record.value(metric) if record.state is State.COMPLETE else None
        if value is not None and math.isfinite(value):
            found.setdefault(replace(record.candidate.canonical(), engine=""), record)
    return found


def _wider(a: Spreads, b: Spreads) -> Spreads:
    """Of each metric the larger of the two spreads."""
    both = [*a.items(), *b.items()]
    return dict(sorted(both, key=lambda item: item[1].variance))


def _overall(pairs: Sequence[Pair], metric: str) -> Comparison | None:
    if not pairs:
        return None
    effects = [pair.made.effect for pair in pairs]
    n, mean = len(effects), sum(effects) / len(effects)
    se = None
    if n > 1:
        variance = sum((effect - mean) ** 2 for effect in effects) / (n - 1)
        se = math.sqrt(variance / n)
    scales = {pair.made.scale for pair in pairs}
    scale = scales.pop() if len(scales) == 1 else scale_of(metric)
    note = "" if n > 1 else "a single pair"
    direction = direction_of(metric)
    return compare_effect(metric, mean, se, n - 1.0, scale=scale, direction=direction, note=note)
