"""How a front grew."""

from __future__ import annotations

import pytest

from orchestrator.analysis.course import course
from search_spaces.metrics import Direction
from tests.orchestrator.analysis.points import TWO, exact

RECORDS = [
    exact(1, tok_s=10.0, ppl=20.0),
    exact(2, tok_s=20.0, ppl=20.0),
    exact(3, tok_s=15.0, ppl=20.0),
    exact(4, tok_s=20.0, ppl=10.0),
]
ALL = frozenset({1, 2, 3, 4})


def test_it_grows_to_one_and_never_shrinks() -> None:
    shares = [step.share for step in course(RECORDS, ALL, TWO)]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_what_may_not_stand_on_the_front_adds_nothing() -> None:
    steps = course([*RECORDS, exact(5, tok_s=90.0, ppl=1.0)], ALL, TWO)
    assert [step.share for step in steps[-2:]] == [1.0, 1.0]


def test_the_order_of_records_does_not_matter() -> None:
    assert course(RECORDS[::-1], ALL, TWO) == course(RECORDS, ALL, TWO)


@pytest.mark.parametrize(
    "goals", [{"tok_s": Direction.MAXIMIZE}, {**TWO, "kld_mean": Direction.MINIMIZE}]
)
def test_one_goal_or_nothing_measured_has_no_course(goals: dict[str, Direction]) -> None:
    assert course(RECORDS, ALL, goals) == ()
