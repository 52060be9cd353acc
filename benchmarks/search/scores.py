"""How much of the whole front's hypervolume a search has found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.search.surface import Point, Surface, Truth
from orchestrator.analysis.hypervolume import hypervolume
from search_spaces.candidate import Candidate
from search_spaces.metrics import Direction

Trial = tuple[Candidate, Truth]


@dataclass(frozen=True)
class Score:
    """Of one search: shares of the whole front by trials and by rig time, and what was wasted."""

    by_trials: tuple[float, ...]
    by_minutes: tuple[float, ...]
    repeats: int
    failures: int


def whole(surface: Surface) -> float:
    """The hypervolume of everything that works."""
    return _volume(surface, [surface.truth(candidate).point for candidate in surface.candidates])


def found(surface: Surface, trials: Sequence[Trial]) -> float:
    """The hypervolume of the true values of what looked best, noise and all."""
    seen = {result.point: candidate for candidate, result in trials if result.point is not None}
    best = front(list(seen), surface.ways)
    return _volume(surface, [surface.truth(seen[point]).point for point in best])


def score(surface: Surface, trials: Sequence[Trial], everything: float) -> Score:
    """Of a search that went on for `trials`; `everything` is `whole(surface)`."""
    times, spent = [], 0.0
    for _, result in trials:
        spent += result.cost_s
        times.append(spent)

    def share(count: int) -> float:
        return found(surface, trials[:count]) / everything

    within = [sum(time <= 60 * minutes for time in times) for minutes in surface.at_minutes]
    return Score(
        tuple(map(share, surface.at_trials)),
        tuple(map(share, within)),
        len(trials) - len({candidate.canonical() for candidate, _ in trials}),
        sum(result.point is None for _, result in trials),
    )


def front(points: Sequence[Point], ways: Sequence[Direction]) -> list[Point]:
    """Those that no other one beats, or equals in everything."""
    signs = [-1.0 if way is Direction.MAXIMIZE else 1.0 for way in ways]
    turned = {tuple(s * v for s, v in zip(signs, p, strict=True)): p for p in points}
    return [p for t, p in turned.items() if not any(o != t and _covers(o, t) for o in turned)]


def _covers(one: Point, other: Point) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def _volume(surface: Surface, points: Sequence[Point | None]) -> float:
    there = [point for point in points if point is not None]
    return hypervolume(front(there, surface.ways), surface.reference, surface.ways)
