"""Makes a long sweep out of a short one: its rows inserted again and again under new keys.

For benchmarks only: the copies are equal in everything but their names, and nothing is measured.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

# What of each table is a number that must be new, by the column whose numbers it follows, and
# what is a text that must be. Other keys are left out of a copy, and made by the database.
_NUMBERS = {
    "trials": {"trial_id": "trials.trial_id", "number": "trials.number"},
    "trial_params": {"trial_id": "trials.trial_id"},
    "trial_values": {"trial_id": "trials.trial_id"},
    "trial_system_attributes": {"trial_id": "trials.trial_id"},
    "jobs": {},
    "job_facets": {},
    "launches": {},
    "gates": {},
    "sweep_trials": {
        "id": "sweep_trials.id",
        "same_as": "sweep_trials.id",
        "number": "trials.number",
    },
    "sweep_trial_facets": {"trial_id": "sweep_trials.id"},
    "measurements": {},
    "samples": {},
}
_TEXTS = {"job_id", "memo_key", "failed_by"}
_OWN_TEXTS = {("jobs", "id")}


def multiply(file: Path, times: int) -> None:
    """Has the file hold so many copies of the trials of its only sweep, the first included."""
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        most = {
            f"{table}.{column}": _one(connection, f"SELECT max({column}) FROM {table}")
            for table, column in (("trials", "trial_id"), ("sweep_trials", "id"))
        }
        most["trials.number"] = _one(connection, "SELECT count(*) FROM trials")
        rows = {table: _rows(connection, table) for table in _NUMBERS}
        for copy in range(1, times):
            for table, (columns, found) in rows.items():
                shifts = [
                    copy * most[shift] if (shift := _NUMBERS[table].get(column)) else None
                    for column in columns
                ]
                renamed = [column in _TEXTS or (table, column) in _OWN_TEXTS for column in columns]
                connection.executemany(
                    f"INSERT INTO {table} ({', '.join(columns)}) "
                    f"VALUES ({', '.join('?' * len(columns))})",
                    (_copied(row, copy, shifts, renamed) for row in found),
                )


def _one(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


def _rows(connection: sqlite3.Connection, table: str) -> tuple[list[str], list[tuple[object, ...]]]:
    """The columns that a copy needs, and their values."""
    described = connection.execute(f"PRAGMA table_info({table})").fetchall()
    columns = [
        name
        for _, name, kind, _, _, key in described
        if not (key == 1 and "INT" in kind.upper() and name not in _NUMBERS[table])
    ]
    return columns, connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()


def _copied(
    row: tuple[object, ...], copy: int, shifts: list[int | None], renamed: list[bool]
) -> list[object]:
    return [
        value
        if value is None
        else f"{value}-{copy}"
        if text
        else value + shift  # type: ignore[operator]
        if shift
        else value
        for value, shift, text in zip(row, shifts, renamed, strict=True)
    ]
