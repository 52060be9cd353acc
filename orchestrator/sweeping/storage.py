"""Optuna's storage in the same database as ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from db.database import Database

if TYPE_CHECKING:
    import optuna


def open_storage(database: Database) -> optuna.storages.RDBStorage:
    """Optuna's storage in our database, tuned like our own connections on SQLite."""
    import optuna
    from sqlalchemy.engine import make_url

    from db.postgres import POOL
    from db.sqlite import apply_sqlite_pragmas

    sqlite = make_url(database.url).get_backend_name() == "sqlite"
    how = {"connect_args": {"timeout": 30}} if sqlite else POOL
    storage = optuna.storages.RDBStorage(database.url, engine_kwargs=how, skip_table_creation=False)
    if sqlite:
        apply_sqlite_pragmas(storage.engine)
    return storage


@contextmanager
def opened(database: Database) -> Iterator[optuna.storages.RDBStorage]:
    """The storage while it is needed; its connections are closed afterwards."""
    storage = open_storage(database)
    try:
        yield storage
    finally:
        storage.remove_session()
        storage.engine.dispose()
