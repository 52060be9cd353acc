"""Filling a context: as near to the wanted tokens as whole notes allow, and never above."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.suites.errors import SuiteError
from workers.suites.fill import filled, room_for
from workers.suites.load import Prompt

PROMPT = Prompt("id", "group", "Question: what happened?")


def words(text: str) -> int:
    return len(text.split())


def test_room_is_a_share_of_the_context() -> None:
    assert room_for(ctx=4096, fill=0.5, predict=128) == 2048


def test_room_never_reaches_into_what_is_generated() -> None:
    assert room_for(ctx=4096, fill=0.99, predict=128) == 4096 - 128 - 1


@given(st.integers(3, 3000))
def test_a_filled_prompt_is_nearly_as_long_as_wanted(tokens: int) -> None:
    found = filled(PROMPT, tokens, words)
    assert words(found.text) <= tokens
    assert words(found.text) >= tokens - 60  # two notes
    assert found.text.endswith(PROMPT.text)
    assert (found.id, found.group) == (PROMPT.id, PROMPT.group)


def test_a_prompt_that_is_longer_by_itself_is_an_error() -> None:
    with pytest.raises(SuiteError, match=r"id is 3 tokens long, and 2 may be filled"):
        filled(PROMPT, 2, words)
