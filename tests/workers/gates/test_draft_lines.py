"""Reading how long drafts may be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workers.gates import logs
from workers.gates.draft_lines import draft_length


def n_max(log: str, asked: int | None = 4, *, anchor_first: bool = False) -> int | None:
    found = draft_length(log, asked, anchor_first)
    return None if found is None else found.n_max


@pytest.mark.parametrize(
    ("log", "asked", "length"),
    [
        (logs.N_MAX.format(4) + logs.BLOCK.format(8), 4, 4),
        (logs.N_MAX.format(12) + logs.BLOCK.format(8) + logs.CLAMPED, 12, 7),
        (logs.N_MAX.format(3), None, 3),
        (logs.BLOCK_BEE_EARLY, 16, 15),
        ("srv load: - n_max=5, n_min=0, p_min=0.750000\n", 5, 5),
    ],
)
def test_each_wording_is_read(log: str, asked: int | None, length: int) -> None:
    assert n_max(log, asked) == length


def test_a_block_that_clamps_without_a_word_is_inferred() -> None:
    assert n_max(logs.N_MAX.format(12) + logs.BLOCK.format(8), 12) == 7


def test_a_block_whose_anchor_is_drafted_too_drafts_one_more() -> None:
    assert n_max(logs.BLOCK.format(8), 12, anchor_first=True) == 8


def test_the_lines_of_ngram_drafters_are_about_something_else() -> None:
    assert n_max(logs.NGRAM_MOD) is None
    assert n_max(logs.NGRAM_MOD + logs.N_MAX.format(4)) == 4


def test_a_block_longer_than_the_draft_says_nothing_about_it() -> None:
    assert n_max(logs.BLOCK_BEE_EARLY, 4) is None


def test_a_log_that_says_nothing_gives_nothing() -> None:
    assert n_max("main: model loaded\n") is None


@given(st.text(), st.none() | st.integers(1, 100))
def test_no_text_makes_it_raise(text: str, asked: int | None) -> None:
    draft_length(text, asked, anchor_first=False)
