"""Hypervolume against hand-made values and an independent implementation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.analysis.hypervolume import hypervolume
from search_spaces.metrics import Direction

coordinates = st.integers(0, 9).map(float)


def test_one_point_is_a_box() -> None:
    assert hypervolume([(1, 2)], (4, 4)) == 6


def test_overlap_counts_once() -> None:
    assert hypervolume([(1, 3), (3, 1)], (4, 4)) == 3 + 3 - 1


def test_points_beyond_the_reference_count_nothing() -> None:
    assert hypervolume([(5, 1), (1, 4)], (4, 4)) == 0


def test_no_points_have_no_volume() -> None:
    assert hypervolume([], (1, 1)) == 0


def test_maximised_objectives_grow_upwards() -> None:
    ways = [Direction.MAXIMIZE, Direction.MINIMIZE]
    assert hypervolume([(100, 10)], (0, 20), ways) == 1000


def test_the_numbers_of_objectives_must_agree() -> None:
    with pytest.raises(ValueError, match="number of objectives"):
        hypervolume([(1, 2, 3)], (4, 4))


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@given(data=st.data())
def test_it_agrees_with_another_implementation(width: int, data: st.DataObject) -> None:
    import numpy as np
    from optuna._hypervolume import compute_hypervolume

    point = st.tuples(*[coordinates] * width)
    points = data.draw(st.lists(point, min_size=1, max_size=8))
    reference = (10.0,) * width
    theirs = compute_hypervolume(np.array(points), np.array(reference))
    assert hypervolume(points, reference) == pytest.approx(float(theirs))


@given(st.lists(st.tuples(coordinates, coordinates, coordinates), min_size=1, max_size=8))
def test_a_dominated_point_adds_nothing(points: list[tuple[float, ...]]) -> None:
    worse = tuple(value + 0.5 for value in points[0])
    reference = (10.0, 10.0, 10.0)
    assert hypervolume([*points, worse], reference) == pytest.approx(hypervolume(points, reference))
