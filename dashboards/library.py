"""What pages read: sweeps of one database, opened for reading only, kept until they change."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dashboards.snapshot import Snapshot, take
from db.database import Database, open_database
from db.rows import Driver, SweepRow
from db.states import SweepState

KILLED = "killed"  # said of a sweep that is marked running and whose driver is gone
_REST = 8.0  # a sweep is read anew after this many times the time that reading it took


@dataclass
class Library:
    """Snapshots by sweep key; safe to use from several threads.

    `is_alive` tells whether the process that runs a sweep still lives.
    """

    database: Database
    is_alive: Callable[[Driver], bool]
    _kept: dict[str, Snapshot] = field(default_factory=dict)
    _marks: dict[str, tuple[str, float, float]] = field(default_factory=dict)
    _behind: set[str] = field(default_factory=set)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @classmethod
    def open(cls, storage: str, is_alive: Callable[[Driver], bool]) -> Library:
        """Opens a database that is there and of this version's schema; DatabaseError if not."""
        return cls(open_database(storage, read_only=True), is_alive)

    def close(self) -> None:
        """Closes the database."""
        self.database.close()

    def mark(self) -> str:
        """Differs whenever pages would show something else; see Database.mark."""
        return self.database.mark()

    @property
    def is_behind(self) -> bool:
        """Whether something was shown as it was before the last change."""
        return bool(self._behind)

    def sweeps(self) -> tuple[SweepRow, ...]:
        """All of them, newest first."""
        return self.database.sweeps.list()

    def state(self, row: SweepRow) -> str:
        """The sweep's state; a running one whose driver died is told apart."""
        if row.state is SweepState.RUNNING and not self.is_alive(row.driver):
            return KILLED
        return str(row.state)

    def chosen(self, keys: tuple[str, ...]) -> tuple[Snapshot, ...]:
        """The sweeps whose keys (or names) are given; the latest when none is or none is known."""
        rows = self.sweeps()
        found = [row for row in rows if row.key in keys or row.name in keys] or list(rows[:1])
        return tuple(self.snapshot(row) for row in found)

    def snapshot(self, row: SweepRow) -> Snapshot:
        """A sweep as it was read last; read anew when it changed, and not all the time."""
        with self._lock:
            mark, now = self.mark(), time.monotonic()
            known = self._kept.get(row.key)
            seen, ended, took = self._marks.get(row.key, ("", 0.0, 0.0))
            if known is not None and (seen == mark or now < ended + _REST * took):
                (self._behind.discard if seen == mark else self._behind.add)(row.key)
                return known
            self._behind.discard(row.key)
            fresh = take(self.database, row)
            ended = time.monotonic()
            self._kept[row.key], self._marks[row.key] = fresh, (mark, ended, ended - now)
            return fresh
