"""A game on a terminal: its screen while time passes, and keys to press."""

from __future__ import annotations

import time
from collections.abc import Callable

from workers.quality.sandbox.running import Running
from workers.quality.terminal.board import Board, find_board, number_after
from workers.quality.terminal.screen import Screen

# A program that draws without a pause fills any pipe. Read at this rate, it waits for us; an
# emulator in Python takes in about so much in a second.
_BYTES_PER_S = 256 * 1024
_LOOK_S = 0.05


class Game:
    """What a player has: eyes, and fingers."""

    def __init__(self, started: Running) -> None:
        self._started = started
        self._screen = Screen()
        self._began = time.monotonic()
        self._taken = 0

    def watch(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Looks on until something is so, or for so long. Whether it came to be so."""
        deadline = time.monotonic() + seconds
        while not until():
            now = time.monotonic()
            if now >= deadline:
                return False
            if self._taken > _BYTES_PER_S * (now - self._began + 1):
                time.sleep(_LOOK_S)
                continue
            data = self._started.read(min(_LOOK_S, deadline - now))
            if data is None:
                return until()
            self._taken += len(data)
            self._screen.feed(data)
        return True

    def press(self, keys: str, pause_s: float = 0.0) -> None:
        """Presses keys one after the other."""
        for key in keys:
            self._started.write(key.encode())
            if pause_s:
                self.watch(pause_s)

    def board(self) -> Board | None:
        """The board as it is drawn now."""
        return find_board(self._screen.rows())

    def number(self, word: str) -> int | None:
        """The number behind a word on the screen."""
        return number_after(word, self._screen.rows())

    def last_words(self) -> str:
        """The last row that says something."""
        return self._screen.last_words()
