"""What logs may not do to a reader."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dashboards.plain_text import printable


def test_colours_and_titles_are_taken_out() -> None:
    assert printable("\x1b[31mred\x1b[0m \x1b]0;title\x07plain") == "red plain"


def test_marks_that_turn_the_writing_around_are_made_visible() -> None:
    assert printable("a\u202eb") == "a\ufffdb"


def test_lines_and_tabs_stay() -> None:
    assert printable("a\tb\r\nc") == "a\tb\nc"


@given(st.text())
def test_nothing_can_steer_a_terminal(text: str) -> None:
    assert not any(char < " " and char not in "\n\t" for char in printable(text))
