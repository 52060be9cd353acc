"""Acceptance by position, and tokens per draft."""

from __future__ import annotations

import pytest

from workers.contract.outcome import Sample
from workers.statistics.positions import by_position
from workers.statistics.rate import estimate


def request(drafts: float, *accepted: float, launch: int = 0) -> Sample:
    values = {"drafts_n": drafts, "draft_n_accepted": sum(accepted)}
    places = {f"accepted_at_{i}": n for i, n in enumerate(accepted, 1)}
    return Sample("p", values | places, launch)


def test_a_share_is_of_all_drafts_whatever_their_length() -> None:
    shares = by_position([request(10, 8, 5, 1), request(10, 7, 5, 0, launch=1)])

    assert [share.metric for share in shares] == [f"acceptance_at_{n}" for n in (1, 2, 3)]
    assert [share.value for share in shares] == pytest.approx([0.75, 0.5, 0.05])
    assert all(
        s.low is not None and s.high is not None and s.low <= s.value <= s.high for s in shares
    )


def test_a_position_that_a_request_never_reached_counts_as_none_there() -> None:
    first, second = by_position([request(10, 8), request(10, 8, 6, launch=1)])

    assert first.value == pytest.approx(0.8)
    assert second.value == pytest.approx(0.3)


def test_there_are_more_than_nine_positions() -> None:
    shares = by_position([request(10, *range(10, -2, -1))])

    assert shares[9].value == pytest.approx(0.1)


def test_a_draft_gives_its_accepted_tokens_and_the_models_own() -> None:
    made = estimate("accepted_len", [request(10, 8, 5)])

    assert made is not None
    assert made.value == pytest.approx(2.3)


def test_what_no_build_told_is_not_made_up() -> None:
    silent = Sample("p", {"draft_n": 40.0, "draft_n_accepted": 13.0})

    assert by_position([silent]) == ()
    assert estimate("accepted_len", [silent]) is None


def test_without_a_draft_there_is_no_share() -> None:
    assert by_position([request(0, 0)]) == ()
