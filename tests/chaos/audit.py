"""What must hold of a sweep, however it was treated. Read with nothing but SQL."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Connection, NullPool, create_engine, text

_ENDED = "SELECT id, state FROM sweep_trials WHERE state <> 'waiting'"
_DELIVERED = "SELECT memo_key FROM job_facets WHERE position IS NOT NULL"
_TRIED = """
SELECT t.rig, t.asked_key FROM sweep_trials t LEFT JOIN failures f ON f.job_id = t.failed_by
WHERE f.kind IS NULL AND t.role <> 'anchor'
"""
_FAILED = """
SELECT f.kind, f.evidence FROM sweep_trials t JOIN failures f ON f.job_id = t.failed_by
"""
_OPEN = {
    "jobs": "SELECT count(*) FROM jobs WHERE state = 'running'",
    "trials": "SELECT count(*) FROM sweep_trials WHERE state = 'waiting'",
    "trials of the study": "SELECT count(*) FROM trials WHERE state IN ('RUNNING', 'WAITING')",
    "sweeps": "SELECT count(*) FROM sweeps WHERE state <> 'finished'",
}


@dataclass(frozen=True)
class Books:
    """What was recorded at one moment: ended trials by id, and what was measured, how often."""

    ended: dict[int, str]
    delivered: Counter[str]


def read_books(url: str) -> Books:
    """Empty where there is no table yet."""
    with _connected(url) as connection:
        if not _has_tables(connection):
            return Books({}, Counter())
        ended = {row[0]: row[1] for row in connection.execute(text(_ENDED))}
        return Books(ended, Counter(row[0] for row in connection.execute(text(_DELIVERED))))


def lost(before: Books, after: Books) -> list[str]:
    """What was recorded once and is not any more."""
    gone = [f"trial {i}" for i, state in before.ended.items() if after.ended.get(i) != state]
    return gone + [f"measurement {key}" for key in before.delivered - after.delivered]


def duplicates(url: str) -> list[str]:
    """Whatever was measured, or tried with a result, more than once."""
    with _connected(url) as connection:
        tried = Counter(tuple(row) for row in connection.execute(text(_TRIED)))
    books = read_books(url)
    twice = [f"{key} was measured {n} times" for key, n in books.delivered.items() if n > 1]
    return twice + [f"{key} was tried {n} times" for key, n in tried.items() if n > 1]


def unended(url: str, trials: int) -> list[str]:
    """What a finished sweep still owes: open ends, and candidates without an outcome."""
    with _connected(url) as connection:
        found = {what: connection.scalar(text(query)) for what, query in _OPEN.items()}
        tried = len(connection.execute(text(_TRIED)).all())
        failed = [f"{kind}: {why}" for kind, why in connection.execute(text(_FAILED))]
    owed = [f"{count} {what} still open" for what, count in found.items() if count]
    if tried != trials:
        owed.append(f"{tried} of {trials} trials have a result; failed: {failed}")
    return owed


def _has_tables(connection: Connection) -> bool:
    from sqlalchemy import inspect

    return inspect(connection).has_table("job_facets") and inspect(connection).has_table("trials")


def _connected(url: str) -> Connection:
    return create_engine(url, poolclass=NullPool).connect()
