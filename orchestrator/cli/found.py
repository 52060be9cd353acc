"""From --sweep to a sweep of the database."""

from __future__ import annotations

from db.database import Database
from db.errors import DatabaseError
from db.rows import SweepRow


def found(database: Database, sweep: str | None) -> SweepRow:
    """The sweep of that name or key, the latest when none is named. Raises DatabaseError."""
    latest = database.sweeps.latest()
    if latest is None:
        raise DatabaseError(
            f"{database.shown} holds no sweeps.", "Run one first: orchestrate sweep."
        )
    return latest if sweep is None else database.sweeps.find(sweep)
