"""How much of the differences in a metric each setting explains by itself."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from orchestrator.analysis.objectives import scale_of
from orchestrator.analysis.records import Measured, State
from search_spaces.candidate import CANDIDATE_FIELDS
from workers.statistics.comparison import Scale

_LEAST = 8  # records; with fewer, any split explains much
_TOGETHER = {"kv_k": "kv", "kv_v": "kv"}  # a pair that is varied as one is one setting


@dataclass(frozen=True, slots=True)
class Influence:
    """`share` (0 to 1) of the variance between records lies between the values of `setting`."""

    setting: str
    share: float
    values: int


def influences(records: Iterable[Measured], metric: str) -> tuple[Influence, ...]:
    """The settings that vary, the most influential first; () with fewer than 8 records.

    The share is epsilon squared (T. L. Kelley, 1935), the correlation ratio corrected for the
    number of values, so a setting that does nothing comes out near 0. Rates and times count by
    their logarithms. A setting is looked at alone: shares of settings that act together, or that
    a search varied together, may add up to more or less than 1. Settings that vary as a pair
    (K and V types) are one.
    """
    known = [r for r in records if r.state is State.COMPLETE and _score(r, metric) is not None]
    if len(known) < _LEAST:
        return ()
    scores = [_score(record, metric) or 0.0 for record in known]
    found = []
    for setting in _settings(known):
        groups: dict[object, list[float]] = defaultdict(list)
        for record, score in zip(known, scores, strict=True):
            groups[_value(record, setting)].append(score)
        if 1 < len(groups) <= len(known) / 2:
            found.append(Influence(setting, _share(list(groups.values()), scores), len(groups)))
    return tuple(sorted(found, key=lambda one: (-one.share, one.setting)))


def _settings(records: Sequence[Measured]) -> tuple[str, ...]:
    varying = [
        name
        for name in CANDIDATE_FIELDS
        if len({getattr(record.candidate, name) for record in records}) > 1
    ]
    settings = dict.fromkeys(_TOGETHER.get(name, name) for name in varying)
    # A drafter that comes and goes with speculation splits the records as speculation does.
    splits: dict[tuple[int, ...], str] = {}
    for setting in sorted(settings, key=lambda name: name == "drafter"):
        splits.setdefault(_split(records, setting), setting)
    return tuple(splits.values())


def _split(records: Sequence[Measured], setting: str) -> tuple[int, ...]:
    """Which records have the same value: a number for each value, in order of first use."""
    numbers: dict[object, int] = {}
    return tuple(numbers.setdefault(_value(r, setting), len(numbers)) for r in records)


def _value(record: Measured, setting: str) -> object:
    return getattr(record.candidate, setting)


def _score(record: Measured, metric: str) -> float | None:
    value = record.value(metric)
    if value is None or not math.isfinite(value):
        return None
    if scale_of(metric) is Scale.DIFFERENCE:
        return value
    return math.log(value) if value > 0 else None


def _share(groups: Sequence[Sequence[float]], scores: Sequence[float]) -> float:
    total = _spread(scores)
    if total <= 0:
        return 0.0
    within = sum(_spread(group) for group in groups)
    n, k = len(scores), len(groups)
    return max(0.0, 1.0 - (within / (n - k)) / (total / (n - 1)))


def _spread(scores: Sequence[float]) -> float:
    """The sum of squared distances from the mean."""
    mean = sum(scores) / len(scores)
    return sum((score - mean) ** 2 for score in scores)
