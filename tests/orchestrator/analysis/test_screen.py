"""Levels of very many candidates at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.analysis.front import Level
from orchestrator.analysis.screen import screened
from search_spaces.metrics import Direction

GOALS = {"tok_s": Direction.MAXIMIZE, "ppl": Direction.MINIMIZE}
POINTS = st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20)), min_size=1, max_size=40)


def of(points: list[tuple[int, int]]) -> tuple[Level, ...]:
    values = {"tok_s": [float(p[0]) for p in points], "ppl": [float(p[1]) for p in points]}
    return screened(values, GOALS, {}).levels


def beats(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a != b and a[0] >= b[0] and a[1] <= b[1]


@given(POINTS)
def test_leaders_are_those_that_no_point_beats(points: list[tuple[int, int]]) -> None:
    expected = [not any(beats(other, point) for other in points) for point in points]
    assert [level is Level.FRONT for level in of(points)] == expected


@given(POINTS)
def test_nothing_is_beaten_where_no_spread_is_known(points: list[tuple[int, int]]) -> None:
    assert Level.DOMINATED not in of(points)


def test_exact_metrics_are_beaten_by_any_difference() -> None:
    values = {"mem_peak_mib": [100.0, 101.0]}
    found = screened(values, {"mem_peak_mib": Direction.MINIMIZE}, {})
    assert found.levels == (Level.FRONT, Level.DOMINATED)


def test_the_nearest_come_first_after_the_front() -> None:
    values = {"tok_s": [10.0, 7.0, 9.0, 1.0], "ppl": [5.0, 5.0, 5.0, 4.0]}
    found = screened(values, GOALS, {})
    gaps = [found.gaps[i] for i in (0, 3)]
    assert gaps == [0.0, 0.0]
    assert set(found.nearest(2)) == {0, 3}
