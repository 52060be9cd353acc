"""Sweeps on their way out of a database, and somebody else's on their way in."""

from __future__ import annotations

from db.errors import DatabaseError
from db.repositories.whole_reading import read_whole
from db.repositories.whole_writing import imported_key, write_whole
from db.transactions import Store
from db.whole import WholeSweep


class Exchange:
    """Whole sweeps, each way in one transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self, sweep_id: int) -> WholeSweep:
        """Everything that has ended in a sweep."""
        with self._store.reading() as session:
            return read_whole(session, sweep_id)

    def add(self, whole: WholeSweep, origin: str) -> str:
        """Adds a sweep that came in a file of this hash, marked as imported; its new key.

        Raises DatabaseError for numbers that no database holds; nothing is written then.
        """
        try:
            with self._store.writing() as session:
                write_whole(session, whole, origin, self._store.now())
        except OverflowError:
            raise DatabaseError("it holds a number that is too large for a database.") from None
        return imported_key(origin)
