"""Two sides on equal candidates."""

from __future__ import annotations

import pytest

from orchestrator.analysis.side_by_side import side_by_side
from search_spaces.candidate import Candidate
from tests.orchestrator.analysis.points import blurred, exact
from workers.statistics.comparison import Verdict

KINDS = ("f16", "q8_0", "q4_0")
FIRST = [exact(i, Candidate("m", kv_k=kv), tok_s=100.0 + i) for i, kv in enumerate(KINDS)]
SECOND = [
    exact(i + 10, Candidate("m", engine="other", kv_k=kv), tok_s=120.0 + 1.2 * i)
    for i, kv in enumerate(KINDS)
]


def test_candidates_pair_whatever_their_engine() -> None:
    made = side_by_side(FIRST, SECOND, "tok_s")
    assert [(p.first.trial_id, p.second.trial_id) for p in made.pairs] == [
        (0, 10),
        (1, 11),
        (2, 12),
    ]


def test_the_mean_is_that_of_the_second_against_the_first() -> None:
    made = side_by_side(FIRST, SECOND, "tok_s")
    assert made.overall is not None
    assert made.overall.value == pytest.approx(1.2)
    assert made.count(Verdict.BETTER) == 3


def test_overlapping_intervals_show_no_difference() -> None:
    a, b = [blurred(1, 0.2, tok_s=100.0)], [blurred(2, 0.2, tok_s=105.0)]
    assert side_by_side(a, b, "tok_s").count(Verdict.TIE) == 1


def test_a_single_pair_has_no_interval_over_pairs() -> None:
    made = side_by_side(FIRST[:1], SECOND, "tok_s")
    assert made.overall is not None and made.overall.low is None
    assert made.alone == (0, 2)


def test_nothing_in_common_is_no_pair() -> None:
    made = side_by_side(FIRST, SECOND, "kld_mean")
    assert (made.pairs, made.overall) == ((), None)
