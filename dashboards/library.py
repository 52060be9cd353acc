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
from workers.contract.errors import OrchestrateError

_LONG = 1.0  # seconds; reading a sweep that takes longer is not waited for a second time
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
    _reading: set[str] = field(default_factory=set)
    _caught_up: int = 0
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @classmethod
    def open(cls, storage: str, is_alive: Callable[[Driver], bool]) -> Library:
        """Opens a database that is there and of this version's schema; DatabaseError if not."""
        return cls(open_database(storage, read_only=True), is_alive)

    def close(self) -> None:
        """Closes the database."""
        self.database.close()

    def mark(self) -> str:
        """Differs whenever pages would show something else; see Database.mark.

        Has what was shown as it was before the last change read anew, once that is due.
        """
        if self._behind:
            for row in self.sweeps():
                if row.key in self._behind:
                    self.snapshot(row)
        return f"{self.database.mark()} {self._caught_up}"

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
        """A sweep as it was read last; read anew when it changed, and not all the time.

        What takes long to read is read beside, and shown as it was until that is done.
        """
        with self._lock:
            mark, now = self.database.mark(), time.monotonic()
            known = self._kept.get(row.key)
            seen, ended, took = self._marks.get(row.key, ("", 0.0, 0.0))
            if known is None:
                return self._read(row, mark)
            if seen == mark:
                self._behind.discard(row.key)
                return known
            if now < ended + _REST * took:
                self._behind.add(row.key)
                return known
            if took < _LONG:
                return self._read(row, mark)
            self._behind.add(row.key)
            if row.key not in self._reading:
                self._reading.add(row.key)
                threading.Thread(target=self._read_beside, args=(row, mark), daemon=True).start()
            return known

    def _read(self, row: SweepRow, mark: str) -> Snapshot:
        began = time.monotonic()
        fresh = take(self.database, row, self._kept.get(row.key))
        ended = time.monotonic()
        self._kept[row.key], self._marks[row.key] = fresh, (mark, ended, ended - began)
        if row.key in self._behind:
            self._behind.discard(row.key)
            self._caught_up += 1
        return fresh

    def _read_beside(self, row: SweepRow, mark: str) -> None:
        try:
            self._read(row, mark)
        except OrchestrateError:
            # Told to the next reader, who then reads it in the foreground.
            self._kept.pop(row.key, None)
        finally:
            self._reading.discard(row.key)
