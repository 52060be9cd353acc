"""The time as the database tells it: one clock for drivers whose hosts' clocks differ."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Double, literal_column
from sqlalchemy.orm import Session

_NOW = {
    "sqlite": "(julianday('now') - 2440587.5) * 86400.0",
    "postgresql": "CAST(extract(epoch from clock_timestamp()) AS double precision)",
}


def server_time(session: Session) -> ColumnElement[float]:
    """Seconds since the epoch, by the server's clock (SQLite has none but the host's)."""
    dialect = session.get_bind().dialect.name
    now: ColumnElement[Any] = literal_column(_NOW[dialect], Double())
    return now
