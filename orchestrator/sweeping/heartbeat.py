"""The driver's heartbeat: how another host knows that a sweep is being run.

The database's clock is the only one that is read, so hosts whose clocks differ do not matter.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from db.database import Database
from db.errors import DatabaseError
from db.rows import Driver
from workers.contract.errors import OrchestrateError

BEAT_S = 15.0
STALE_S = 120.0  # a driver that was not heard of for so long may be replaced


class TakenOverError(OrchestrateError):
    """Another driver runs the sweep by now."""


@dataclass
class Heartbeat:
    """Beats for one sweep; once another driver has taken it over, `lost` and `stopping` are set."""

    database: Database
    sweep_id: int
    me: Driver
    stopping: threading.Event
    lost: bool = False
    _ended: threading.Event = field(default_factory=threading.Event)

    def beat(self) -> None:
        """Once; a database that is away is told again later."""
        try:
            self.lost = not self.database.sweeps.beat(self.sweep_id, self.me)
        except DatabaseError:
            return
        if self.lost:
            self.stopping.set()

    def check(self) -> None:
        """Raises TakenOverError when the sweep is not ours any more."""
        if self.lost:
            raise TakenOverError(
                f"Another driver has taken this sweep over: this one was not heard of for "
                f"{STALE_S:.0f} s.",
                "Look at it with: orchestrate status.",
            )

    @contextmanager
    def beating(self) -> Iterator[None]:
        """Beats from a thread of its own, however long a step of the driver takes."""
        thread = threading.Thread(target=self._go_on, name="heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()

    def _go_on(self) -> None:
        while not self.lost and not self._ended.wait(BEAT_S):
            self.beat()
