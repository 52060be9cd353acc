"""How we use SQLite: many readers beside one writer, and no lost sweep when a process dies.

The write-ahead log lets dashboards read while the driver writes. synchronous=NORMAL leaves out
the flush after each commit: a killed process loses nothing, a power cut may lose the last
commits, but never their order. Records and the study's tells share this one file, so a tell
never outlives the record it stands on.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from db.address import Address
from db.codec import dumps
from db.files import writable_directory

BUSY_TIMEOUT_MS = 30_000
WRITES = "orchestrate_writes"  # the execution option of a connection that will write

PRAGMAS = (
    f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}",
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA foreign_keys=ON",
)
_READER_PRAGMAS = (f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}", "PRAGMA query_only=ON")


def apply_sqlite_pragmas(engine: Engine) -> None:
    """Gives every connection of an engine (ours, or Optuna's `storage.engine`) our settings.

    Connections that are already open are closed, so that none is without them. Does nothing to
    an engine of another database.
    """
    if engine.dialect.name == "sqlite":
        _on_connect(engine, PRAGMAS)
        engine.dispose()


def _on_connect(engine: Engine, statements: tuple[str, ...]) -> None:
    def prepare(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)
        cursor.close()

    event.listen(engine, "connect", prepare)


def sqlite_engine(address: Address, *, read_only: bool) -> Engine:
    """An engine whose transactions begin when we say, and take the write lock at once to write.

    A transaction that reads first and writes later fails at once, whatever the timeout, when
    another process wrote in between; so writers ask for the lock before they read.
    """
    if read_only:
        engine = _reader(address)
        _on_connect(engine, _READER_PRAGMAS)
    else:
        engine = create_engine(address.url, json_serializer=dumps)
        apply_sqlite_pragmas(engine)

    def take_over(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # or the sqlite3 module begins transactions itself

    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", take_over)
    event.listen(engine, "begin", begin)
    return engine


def _reader(address: Address) -> Engine:
    """Connections that cannot write, even by mistake.

    In a directory that cannot be written SQLite could not make its shared memory file; where
    no log waits to be read, the file is then opened as one that nobody changes.
    """
    assert address.path is not None
    uri = f"{address.path.as_uri()}?mode=ro"
    log = Path(f"{address.path}-wal")
    if not writable_directory(address.path) and not (log.exists() and log.stat().st_size):
        uri += "&immutable=1"
    return create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(uri, uri=True, check_same_thread=False),
        poolclass=QueuePool,
        json_serializer=dumps,
    )
