"""Finds a Tetris board on a screen: 20 rows between two upright lines, 10 cells in each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 10, 20
_SIDES = "|\u2502\u2503\u2551"
_EMPTY = re.compile(r"[\s.\u00b7_:'`]*")
_NUMBER = r"\s*[:=]?\s*(\d{1,9})"


@dataclass(frozen=True)
class Board:
    """The filled cells as (row, column), from the upper left."""

    filled: frozenset[tuple[int, int]]

    @property
    def leftmost(self) -> int:
        """The first column in use; WIDTH on an empty board."""
        return min((column for _, column in self.filled), default=WIDTH)

    @property
    def lowest(self) -> int:
        """The last row in use; -1 on an empty board."""
        return max((row for row, _ in self.filled), default=-1)


def find_board(rows: Sequence[str]) -> Board | None:
    """The board, drawn with one or two characters to a cell; None where there is none."""
    for cell in (2, 1):
        for left in range(len(rows[0]) - WIDTH * cell - 1 if rows else 0):
            top = _top_of(rows, left, left + WIDTH * cell + 1)
            if top is not None:
                return _read(rows[top : top + HEIGHT], left + 1, cell)
    return None


def number_after(word: str, rows: Sequence[str]) -> int | None:
    """The number that stands behind a word; None where there is none."""
    found = re.search(word + _NUMBER, "\n".join(rows), re.IGNORECASE)
    return int(found[1]) if found else None


def _top_of(rows: Sequence[str], left: int, right: int) -> int | None:
    """Where 20 rows in a line have an upright line at both places."""
    run = 0
    for number, row in enumerate(rows):
        run = run + 1 if row[left] in _SIDES and row[right] in _SIDES else 0
        if run == HEIGHT:
            return number - HEIGHT + 1
    return None


def _read(rows: Sequence[str], left: int, cell: int) -> Board:
    return Board(
        frozenset(
            (y, x)
            for y, row in enumerate(rows)
            for x in range(WIDTH)
            if not _EMPTY.fullmatch(row[left + x * cell : left + (x + 1) * cell])
        )
    )
