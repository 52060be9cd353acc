"""Bringing a database to this version's schema: a copy first, then the missing migrations."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError

from db.address import Address
from db.database import open_database
from db.errors import DatabaseError
from db.files import check_file
from db.problems import explain
from db.schema import HEAD, REVISIONS, current_version


@dataclass(frozen=True, slots=True)
class Upgraded:
    """What was done to the database called `shown`.

    `before` is the schema it had, None where that was not looked at (a server); `copy` the file
    that holds it as it was, None where nothing was copied.
    """

    shown: str
    after: str
    before: str | None = None
    copy: Path | None = None


def upgrade(storage: str) -> Upgraded:
    """Migrates a database. Raises DatabaseError, with nothing changed, where it cannot."""
    address = Address.parse(storage)
    if address.path is None:
        # A server keeps its own backups, and the migrations run in one transaction there too.
        with open_database(storage) as database:
            return Upgraded(database.shown, HEAD)
    check_file(address.path, read_only=True)
    check_file(address.path, read_only=False)
    version = _version(address)
    if version is None:
        raise DatabaseError(
            f"{address.shown} holds no sweeps.", "Run one first: orchestrate sweep."
        )
    if version == HEAD:
        return Upgraded(address.shown, HEAD, HEAD)
    copy = _copied(address, version) if version in REVISIONS else None
    with open_database(storage) as database:  # migrates, or says why not
        return Upgraded(database.shown, HEAD, version, copy)


def _version(address: Address) -> str | None:
    engine = create_engine(address.url)
    try:
        with engine.connect() as connection:
            return current_version(connection)
    except SQLAlchemyError as error:
        raise explain(error, address) from None
    finally:
        engine.dispose()


def _copied(address: Address, version: str) -> Path:
    """A consistent copy, its write-ahead log folded in. An earlier copy is never overwritten."""
    assert address.path is not None
    target = _free(address.path, f".bak-{version}")
    try:
        with closing(sqlite3.connect(address.path)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
    except sqlite3.Error as error:
        target.unlink(missing_ok=True)
        raise DatabaseError(
            f"{address.shown} could not be copied to {target}: {error}.",
            "Nothing was changed. Make room beside it, or move it, and run it again.",
        ) from None
    return target


def _free(path: Path, suffix: str) -> Path:
    names = (path.name + suffix + (f"-{n}" if n > 1 else "") for n in count(1))
    return next(p for p in map(path.with_name, names) if not p.exists())
