"""What a terminal would show: the output of a program as rows of text, escape codes obeyed."""

from __future__ import annotations

import re

from workers.quality.sandbox.base import COLUMNS, ROWS

_AT_ESCAPES = re.compile(rb"(?=\x1b)")
# What the emulator raises for sequences that no terminal knows.
_ODD = (TypeError, ValueError, LookupError, AttributeError, AssertionError, RecursionError)
FILLED = "\u2588"
_DARK = ("default", "black", "000000")


class Screen:
    """100 columns, 40 rows, no memory of what has left it."""

    def __init__(self) -> None:
        import pyte

        self._new_stream = pyte.ByteStream
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = self._new_stream(self._screen)

    def feed(self, data: bytes) -> None:
        """Takes output in. A sequence that no terminal knows is left out."""
        for piece in _AT_ESCAPES.split(data):
            try:
                self._stream.feed(piece)
            except _ODD:
                self._stream = self._new_stream(self._screen)

    def rows(self) -> list[str]:
        """The rows; a blank with a colour of its own counts as a full block."""
        buffer = self._screen.buffer
        return [
            "".join(_seen(buffer[y][x]) for x in range(self._screen.columns))
            for y in range(self._screen.lines)
        ]

    def last_words(self) -> str:
        """The last row that says something: of a program that failed, its error."""
        return next((row.strip() for row in reversed(self.rows()) if row.strip()), "")


def _seen(cell: object) -> str:
    text = str(getattr(cell, "data", " ")) or " "
    coloured = getattr(cell, "reverse", False) or getattr(cell, "bg", "default") not in _DARK
    return FILLED if text.isspace() and coloured else text[0]
