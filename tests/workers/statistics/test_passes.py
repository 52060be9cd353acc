"""When more passes stop helping."""

from __future__ import annotations

import pytest

from tests.workers.statistics.samples import timed
from workers.statistics.passes import within_launch_precision


def test_nothing_is_known_before_a_prompt_was_repeated() -> None:
    assert within_launch_precision(timed([[[1000, 2000]], [[1000, 2000]]])) is None


def test_more_passes_narrow_it() -> None:
    few = within_launch_precision(timed([[[1000, 2000], [1050, 2100]]] * 2))
    many = within_launch_precision(timed([[[1000, 2000], [1050, 2100]] * 4] * 2))
    assert few is not None and many is not None
    assert many < few / 2


def test_a_difference_between_launches_does_not_count() -> None:
    same = within_launch_precision(timed([[[1000], [1010]], [[1000], [1010]]]))
    apart = within_launch_precision(timed([[[1000], [1010]], [[2000], [2020]]]))
    assert same is not None
    assert apart == pytest.approx(same, rel=0.1)
