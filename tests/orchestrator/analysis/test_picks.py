"""Recommendations, the knee, and how long a draft pays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.draft_length import smallest_lengths
from orchestrator.analysis.front import front_of
from orchestrator.analysis.knee import knee
from orchestrator.analysis.recommend import Pick, recommend
from orchestrator.analysis.records import Measured
from search_spaces.candidate import Candidate
from search_spaces.metrics import Direction
from tests.orchestrator.analysis.points import TWO, blurred, exact

DFLASH = Candidate(model="m", spec="draft-dflash", drafter="d", n_max=1)


def picks(records: list[Measured]) -> dict[str, Pick]:
    comparer = Comparer(records)
    return {p.key: p for p in recommend(front_of(records, TWO, comparer), comparer)}


def lengths(*speeds: float, noise: float = 0.01) -> list[Measured]:
    return [
        blurred(n, noise, replace(DFLASH, n_max=n), tok_s=speed, ppl=10)
        for n, speed in enumerate(speeds, start=1)
    ]


def test_the_knee_is_the_nearest_to_the_ideal() -> None:
    points = [exact(1, tok_s=100, ppl=20), exact(2, tok_s=90, ppl=11), exact(3, tok_s=10, ppl=10)]
    found = knee(points, TWO)
    assert found is not None and found.trial_id == 2


def test_an_empty_front_has_no_knee() -> None:
    assert knee([], TWO) is None


@given(st.floats(0.01, 100), st.floats(0.01, 100))
def test_units_do_not_move_the_knee(speed_unit: float, loss_unit: float) -> None:
    rows = [(100, 20), (80, 12), (10, 10)]
    points = [exact(i, tok_s=s * speed_unit, ppl=p * loss_unit) for i, (s, p) in enumerate(rows)]
    found = knee(points, TWO)
    assert found is not None and found.trial_id == 1


def test_speed_and_quality_extremes_are_picked() -> None:
    found = picks(
        [exact(1, tok_s=100, ppl=20), exact(2, tok_s=90, ppl=11), exact(3, tok_s=9, ppl=9)]
    )
    assert found["fastest"].record.trial_id == 1
    assert found["finest"].record.trial_id == 3


def test_of_equal_quality_the_fastest_is_the_finest() -> None:
    found = picks([blurred(1, 0.001, tok_s=100, ppl=10), blurred(2, 0.001, tok_s=99, ppl=9.9999)])
    assert found["finest"].record.trial_id == 1


def test_a_lead_inside_the_noise_is_not_shown() -> None:
    found = picks([blurred(1, 0.02, tok_s=100, ppl=10), blurred(2, 0.02, tok_s=99.5, ppl=10)])
    assert found["fastest"].runner_up is not None
    assert not found["fastest"].shown


def test_a_clear_lead_is_shown() -> None:
    found = picks([blurred(1, 0.01, tok_s=100, ppl=11), blurred(2, 0.01, tok_s=50, ppl=10)])
    assert found["fastest"].shown


def test_the_best_with_a_draft_is_named_even_when_it_loses() -> None:
    plain = blurred(1, 0.01, tok_s=100, ppl=10)
    found = picks([plain, blurred(2, 0.01, DFLASH, tok_s=50, ppl=10)])
    assert found["draft"].record.trial_id == 2
    assert found["fastest"].record.trial_id == 1


def test_without_drafting_candidates_there_is_no_such_pick() -> None:
    assert "draft" not in picks([exact(1, tok_s=1, ppl=1)])


def test_an_empty_front_recommends_nothing() -> None:
    assert picks([]) == {}


def test_a_front_without_quality_has_no_finest() -> None:
    goals = {"tok_s": Direction.MAXIMIZE}
    records = [exact(1, tok_s=1)]
    comparer = Comparer(records)
    keys = [p.key for p in recommend(front_of(records, goals, comparer), comparer)]
    assert keys == ["best", "fastest"]


def test_of_equally_fast_drafts_the_shortest_is_found() -> None:
    records = lengths(80, 99, 100, 99.5)
    (found,) = smallest_lengths(records, Comparer(records))
    assert (found.smallest.candidate.n_max, found.fastest.candidate.n_max) == (2, 3)
    assert found.lengths == (1, 2, 3, 4)


def test_a_shorter_draft_that_is_shown_to_be_slower_is_not_taken() -> None:
    records = lengths(99, 100, noise=0.001)
    (found,) = smallest_lengths(records, Comparer(records))
    assert found.smallest.candidate.n_max == 2


def test_families_differ_in_more_than_the_draft_length() -> None:
    other = [blurred(9, 0.01, replace(DFLASH, kv_k="q8_0"), tok_s=10, ppl=10)]
    records = [*lengths(50, 60), *other]
    assert len(smallest_lengths(records, Comparer(records))) == 2


@pytest.mark.parametrize("n", [1, 3])
def test_a_family_of_one_length_is_its_own_best(n: int) -> None:
    records = [blurred(n, 0.01, replace(DFLASH, n_max=n), tok_s=10, ppl=10)]
    (found,) = smallest_lengths(records, Comparer(records))
    assert found.smallest is found.fastest
