"""The share of repeated n-grams."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.gates.repetition import repeated_share


def test_text_that_never_repeats_has_none() -> None:
    assert repeated_share(range(100)) == 0.0


def test_a_loop_is_nearly_all_repetition() -> None:
    assert repeated_share([1, 2, 3] * 100) == pytest.approx(1 - 3 / 297)


def test_a_text_said_twice_is_half_repetition() -> None:
    assert repeated_share([*range(50), *range(50)]) == pytest.approx(47 / 97)


@pytest.mark.parametrize("length", range(5))
def test_a_text_too_short_to_repeat_has_none(length: int) -> None:
    assert repeated_share([1] * length) == 0.0


@given(st.lists(st.integers(0, 3), max_size=200))
def test_it_is_a_share(units: list[int]) -> None:
    assert 0.0 <= repeated_share(units) < 1.0


@given(st.lists(st.integers(0, 9), min_size=4, max_size=60))
def test_saying_it_all_again_never_lowers_it(units: list[int]) -> None:
    assert repeated_share(units * 2) >= repeated_share(units)
