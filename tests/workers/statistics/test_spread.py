"""The launch spread of a rig."""

from __future__ import annotations

import pytest

from workers.statistics.spread import TRUST_CAP, Spread, moderate, own, pool


def test_candidates_without_repetition_give_no_pool() -> None:
    assert pool([[1.0], [2.0]]) is None


def test_the_pool_is_the_mean_variance_weighted_by_freedom() -> None:
    spread = pool([[0.0, 2.0], [5.0, 6.0, 7.0]])
    assert spread is not None
    assert spread.variance == pytest.approx((2.0 * 1 + 1.0 * 2) / 3)
    assert spread.df == 3


def test_levels_of_candidates_do_not_enter() -> None:
    assert pool([[0.0, 1.0]]) == pool([[100.0, 101.0]])


def test_one_disturbed_candidate_does_not_widen_all_others() -> None:
    quiet = [[0.0, 0.01]] * 9
    spread = pool([*quiet, [0.0, 5.0]])
    assert spread is not None
    assert spread.variance == pytest.approx(0.01**2 / 2)


def test_a_disturbed_candidate_keeps_its_own_doubt() -> None:
    spread = Spread(0.0001, 30)
    assert moderate([0.0, 1.0], spread).variance > 100 * moderate([0.0, 0.0], spread).variance


def test_trust_in_the_pool_is_capped() -> None:
    assert moderate([0.0], Spread(1.0, 500)).df == TRUST_CAP


def test_freedom_never_exceeds_that_of_all_launches() -> None:
    assert moderate([0.0, 1.0], Spread(0.5, 2)).df == 2


def test_without_a_pool_the_variance_is_ones_own() -> None:
    assert moderate([0.0, 2.0], None) == own([0.0, 2.0])
