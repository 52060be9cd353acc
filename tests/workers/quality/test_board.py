"""A board is found on a screen, and a screen made of what a program prints."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workers.quality.terminal.board import Board, find_board, number_after
from workers.quality.terminal.screen import Screen


def drawn(filled: set[tuple[int, int]], on: str = "[]", off: str = "  ", side: str = "|") -> str:
    rows = [
        side + "".join(on if (y, x) in filled else off for x in range(10)) + side for y in range(20)
    ]
    return "\x1b[2J\x1b[3;5H" + "\x1b[1B\x1b[5G".join(rows)


def seen(text: str) -> Board | None:
    screen = Screen()
    screen.feed(text.encode())
    return find_board(screen.rows())


@given(
    st.sets(st.tuples(st.integers(0, 19), st.integers(0, 9)), max_size=30),
    st.sampled_from([("[]", "  "), ("##", " ."), ("#", "."), ("\u2588\u2588", "  "), ("O", " ")]),
    st.sampled_from("|\u2502\u2551"),
)
def test_a_board_is_read_however_it_is_drawn(
    filled: set[tuple[int, int]], cell: tuple[str, str], side: str
) -> None:
    assert seen(drawn(filled, *cell, side)) == Board(frozenset(filled))


def test_cells_in_colour_are_filled() -> None:
    assert seen(drawn({(19, 3)}, "\x1b[44m  \x1b[0m")) == Board(frozenset({(19, 3)}))


def test_nineteen_rows_are_no_board() -> None:
    assert seen("\r\n".join(["|" + " " * 20 + "|"] * 19)) is None


def test_a_number_is_read_behind_its_word() -> None:
    assert number_after("score", ["  SCORE:  120 ", "Lines 7"]) == 120
    assert number_after("lines", ["  SCORE:  120 ", "Lines 7"]) == 7
    assert number_after("level", ["  SCORE:  120 "]) is None


@given(st.lists(st.binary(max_size=60) | st.just(b"\x1b[?25;1m\x1b[>4;2m"), max_size=8))
def test_any_output_is_survived_and_what_follows_is_shown(junk: list[bytes]) -> None:
    screen = Screen()
    for piece in junk:
        screen.feed(piece)
    screen.feed(b"\x18\x1b\\\x1bc\x1b[2J\x1b[Hwell")
    assert screen.last_words() == "well"
