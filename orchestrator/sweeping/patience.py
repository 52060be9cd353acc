"""A database that goes away for a minute: the sweep waits for it, within a bound.

Engines measure on meanwhile; what they bring waits in the pool. Each step that is repeated is
one transaction, and one that was committed although its answer was lost does nothing the
second time: nothing is recorded twice.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from db.errors import DatabaseAwayError
from db.problems import is_away

LIMIT_S = 300.0
PAUSE_S = 1.0
T = TypeVar("T")


def _silent(text: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class Patience:
    """Repeats steps that failed because the database (`shown`) is away, at most for `limit_s`.

    `note` hears when waiting begins and ends; `stopping` ends it early.
    """

    shown: str = "the database"
    note: Callable[[str], None] = _silent
    stopping: threading.Event = field(default_factory=threading.Event)
    limit_s: float = LIMIT_S
    pause: Callable[[], object] = lambda: time.sleep(PAUSE_S)
    clock: Callable[[], float] = time.monotonic

    def __call__(self, step: Callable[[], T]) -> T:
        """The step's result. Raises DatabaseAwayError when the database stayed away too long."""
        since: float | None = None
        while True:
            try:
                result = step()
            except Exception as error:
                if not is_away(error):
                    raise
                since = self._wait(since)
            else:
                if since is not None:
                    self.note(f"{self.shown} is back after {self.clock() - since:.0f} s.")
                return result

    def _wait(self, since: float | None) -> float:
        now = self.clock()
        if since is None:
            since = now
            self.note(
                f"{self.shown} does not answer; trying again for up to {self.limit_s:.0f} s. "
                "Engines go on, and what they measure is recorded when it is back."
            )
        if now - since >= self.limit_s or self.stopping.is_set():
            raise DatabaseAwayError(
                f"{self.shown} was away for {now - since:.0f} s.",
                "What is recorded is kept; run the same command when it is back.",
            )
        self.pause()
        return since


IMPATIENT = Patience(limit_s=0.0)
