"""A database with as many trials as wanted, made of a real sweep's by copying it with changes."""

from __future__ import annotations

import lzma
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from db.database import open_database

DEMO = Path(__file__).parents[1] / "tests" / "data" / "demo_sweep.db.xz"
# A copy is between a half and one and a half times as fast as what it was copied from.
_FACTOR = "(0.5 + (n.i * 7919 % 1000) / 1000.0)"


def make(path: Path, trials: int) -> None:
    """The demo sweep's trials, and copies with another speed and a key of their own each.

    The sweep's title says that it is simulated.
    Every copy has its samples, measurements and a job; perplexities stay shared, as in a sweep.
    """
    with lzma.open(DEMO) as packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file)
    open_database(str(path)).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous=OFF")
        real = connection.execute("SELECT count(*) FROM sweep_trials").fetchone()[0]
        connection.execute("UPDATE sweeps SET title = 'Simulated: copies of the demo sweep'")
        _copy(connection, trials - real, real)


def _copy(connection: sqlite3.Connection, more: int, real: int) -> None:
    connection.execute("CREATE TEMP TABLE n (i INTEGER PRIMARY KEY, source INTEGER)")
    connection.executemany(
        "INSERT INTO n VALUES (?, ?)", ((i, 1 + i % real) for i in range(1, more + 1))
    )
    connection.execute(
        "CREATE TEMP TABLE k AS SELECT n.i, t.memo_key AS old, t.facet, "
        "CASE t.facet WHEN 'perplexity' THEN t.memo_key ELSE t.memo_key || '-' || n.i END AS new "
        "FROM n JOIN sweep_trial_facets t ON t.trial_id = n.source"
    )
    id_ = "CASE WHEN {0}.job_id IS NULL THEN NULL ELSE {0}.job_id || '-' || n.i END"
    _insert(
        connection,
        "sweep_trials",
        "sweep_trials t JOIN n ON n.source = t.id",
        "t",
        id="1000000 + n.i",
        number="1000000 + n.i",
        role="'search'",
        asked_key="printf('%016x', n.i)",
        candidate="json_set(t.candidate, '$.threads', n.i)",
    )
    _insert(
        connection,
        "sweep_trial_facets",
        "k JOIN sweep_trial_facets t ON t.memo_key = k.old AND t.facet = k.facet "
        "JOIN n ON n.i = k.i AND n.source = t.trial_id",
        "t",
        trial_id="1000000 + n.i",
        memo_key="k.new",
    )
    fresh = "FROM k JOIN n ON n.i = k.i JOIN {0} t ON t.memo_key = k.old WHERE k.new != k.old"
    jobs = f"SELECT DISTINCT t.job_id AS old, n.i {fresh.format('measurements')}"
    _insert(
        connection,
        "jobs",
        f"({jobs}) n JOIN jobs t ON t.id = n.old",
        "t",
        id="t.id || '-' || n.i",
        log_tail="''",
    )
    scaled = f"CASE WHEN t.metric LIKE '%tok_s' THEN t.{{0}} * {_FACTOR} ELSE t.{{0}} END"
    _insert(
        connection,
        "measurements",
        fresh.format("measurements").removeprefix("FROM "),
        "t",
        id="NULL",
        memo_key="k.new",
        job_id=id_.format("t"),
        **{name: scaled.format(name) for name in ("value", "low", "high")},
    )
    slower = f"json_extract(t.raw_values, '$.predicted_ms') / {_FACTOR}"
    _insert(
        connection,
        "samples",
        fresh.format("samples").removeprefix("FROM "),
        "t",
        id="NULL",
        memo_key="k.new",
        job_id=id_.format("t"),
        raw_values=f"json_set(t.raw_values, '$.predicted_ms', {slower})",
    )


def _insert(
    connection: sqlite3.Connection, table: str, source: str, alias: str, **changed: str
) -> None:
    """Copies rows of a table with some columns changed."""
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    values = ", ".join(changed.get(name, f"{alias}.{name}") for name in columns)
    connection.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {source}")
