"""Whether anybody has written since somebody last looked, for the price of one pragma."""

from __future__ import annotations

import threading

from sqlalchemy import Connection

from db.repositories.changes import read_mark
from db.transactions import Store


class Watch:
    """Remembers a database's mark as long as SQLite says that nothing was committed.

    PRAGMA data_version differs when another connection has committed, so the one that asks is
    kept and never writes. Safe to use from several threads. PostgreSQL has no such counter: there
    the mark is read each time.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._seen: int | None = None
        self._mark = ""

    def mark(self) -> str:
        """What `read_mark` says now."""
        with self._lock:
            version = self._version()
            if version is None or version != self._seen:
                with self._store.reading() as session:
                    self._mark = read_mark(session)
                self._seen = version
            return self._mark

    def _version(self) -> int | None:
        if self._store.engine.dialect.name != "sqlite":
            return None
        with self._store.translating():
            if self._connection is None:
                self._connection = self._store.engine.connect()
            version = self._connection.exec_driver_sql("PRAGMA data_version").scalar_one()
            self._connection.rollback()  # or it would go on seeing the state of now
            return int(version)

    def close(self) -> None:
        """Gives the connection back."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection, self._seen = None, None
