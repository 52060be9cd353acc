"""Transactions: all of a change or nothing of it, with errors that a person can read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from db.address import Address
from db.errors import DatabaseError
from db.problems import explain
from db.sqlite import WRITES

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time of day, aware, in UTC."""
    return datetime.now(UTC)


class Store:
    """What every repository works through. One `writing()` block is one transaction."""

    def __init__(
        self,
        engine: Engine,
        address: Address,
        *,
        read_only: bool = False,
        clock: Clock = utc_now,
    ) -> None:
        self.engine = engine
        self.address = address
        self.read_only = read_only
        self.now = clock
        self._writer = engine.execution_options(**{WRITES: True})

    @contextmanager
    def translating(self) -> Iterator[None]:
        """Errors inside as a person can read them."""
        try:
            yield
        except SQLAlchemyError as error:
            raise explain(error, self.address) from error

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the database."""
        with self.translating(), Session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session that commits at the end of the block; any error undoes all of it."""
        if self.read_only:
            raise DatabaseError(
                f"{self.address.shown} is open for reading only.", "Open it without read_only."
            )
        with self.translating(), Session(self._writer) as session, session.begin():
            yield session
