"""The mean score of programs and its interval."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.contract.outcome import Sample
from workers.statistics.scores import quality


def scored(*tasks: list[int]) -> list[Sample]:
    return [
        Sample(f"task-{number}", {"score": float(score)}, repeat=repeat)
        for number, scores in enumerate(tasks)
        for repeat, score in enumerate(scores)
    ]


def test_every_task_weighs_the_same() -> None:
    assert quality(scored([3, 3, 3, 3], [0])).value == 1.5


def test_one_repetition_has_no_interval() -> None:
    made = quality(scored([3], [0]))
    assert (made.low, made.high, made.n) == (None, None, 2)


def test_equal_scores_are_no_certainty() -> None:
    few, many = quality(scored([0] * 3)), quality(scored([0] * 30))
    assert few.low == many.low == 0.0
    assert few.high is not None and many.high is not None
    assert few.high > many.high > 0.0


def test_differences_between_tasks_do_not_widen_the_interval() -> None:
    assert quality(scored([3] * 5, [0] * 5)).high == pytest.approx(
        quality(scored([2] * 5, [1] * 5)).high
    )


def test_spread_within_a_task_does() -> None:
    calm, wild = quality(scored([1, 2] * 20)), quality(scored([0, 3] * 20))
    assert calm.high is not None and wild.high is not None
    assert wild.high - wild.value > calm.high - calm.value


@given(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=6), min_size=1, max_size=5))
def test_the_interval_holds_the_mean_and_stays_on_the_scale(tasks: list[list[int]]) -> None:
    made = quality(scored(*tasks))
    assert made.low is not None and made.high is not None
    assert 0.0 <= made.low <= made.value <= made.high <= 3.0


def test_nothing_scored_is_no_number() -> None:
    with pytest.raises(ValueError, match="no program"):
        quality([])
