"""INSERT ... ON CONFLICT, which SQLite and PostgreSQL spell alike and SQLAlchemy apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from db.columns import Base

T = TypeVar("T")

_INSERT: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}

# SQLite takes 32,766 parameters in a statement, PostgreSQL 65,535.
MOST_KEYS = 10_000


def insert_into(session: Session, table: type[Base]) -> Any:
    """An INSERT that has `on_conflict_do_nothing` and `on_conflict_do_update`."""
    return _INSERT[session.get_bind().dialect.name](table)


def insert_if_new(session: Session, table: type[Base], rows: Sequence[dict[str, Any]]) -> None:
    """Adds the rows whose natural key is not there yet; the others stay as they are."""
    if rows:
        session.execute(insert_into(session, table).on_conflict_do_nothing(), list(rows))


def batches(items: Sequence[T], size: int = MOST_KEYS) -> Iterator[Sequence[T]]:
    """The items in runs short enough for one statement."""
    return (items[start : start + size] for start in range(0, len(items), size))
