"""How a front grew: its hypervolume after each trial, and after each hour of the rig."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orchestrator.analysis.feasible import comparable
from orchestrator.analysis.hypervolume import hypervolume
from orchestrator.analysis.objectives import oriented
from orchestrator.analysis.records import Measured
from search_spaces.metrics import Direction


@dataclass(frozen=True, slots=True)
class Step:
    """After `trials` ended trials the front reached `share` of what it reached in the end."""

    trials: int
    trial_id: int
    share: float


def course(
    records: Sequence[Measured], able: frozenset[int], objectives: Mapping[str, Direction]
) -> tuple[Step, ...]:
    """One step per record, in order of trial id; () with one objective, or nothing measured.

    `able` are the trial ids that may stand on the front. Point estimates count, the reference
    is the worst value of each objective that was seen: so a share says when the front stopped
    growing, not how good it is.
    """
    points = {
        r.trial_id: tuple(r.value(metric) or 0.0 for metric in objectives)
        for r in records
        if r.trial_id in able and comparable(r, objectives)
    }
    ways = list(objectives.values())
    if len(ways) < 2 or not points:
        return ()
    columns = zip(zip(*points.values(), strict=True), ways, strict=True)
    worst = tuple(min(c) if way is Direction.MAXIMIZE else max(c) for c, way in columns)
    front: list[tuple[float, ...]] = []
    volume, sizes = 0.0, []
    for number, record in enumerate(sorted(records, key=lambda r: r.trial_id), 1):
        point = points.get(record.trial_id)
        if point is not None and not any(_covers(other, point, ways) for other in front):
            front = [p for p in front if not _covers(point, p, ways)] + [point]
            volume = hypervolume(front, worst, ways)
        sizes.append((number, record.trial_id, volume))
    if volume <= 0:
        return ()
    return tuple(Step(number, trial_id, size / volume) for number, trial_id, size in sizes)


def _covers(a: Sequence[float], b: Sequence[float], ways: Sequence[Direction]) -> bool:
    """Whether `a` is at least as good as `b` in everything."""
    return all(oriented(x, w) >= oriented(y, w) for x, y, w in zip(a, b, ways, strict=True))
