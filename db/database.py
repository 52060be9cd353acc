"""The database: opened once, and then everything by its repository."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from types import TracebackType

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from db.address import Address
from db.errors import DatabaseError
from db.files import check_file
from db.outline_rows import TrialOutline
from db.postgres import postgres_engine
from db.problems import explain
from db.repositories.exchange import Exchange
from db.repositories.hosts import Hosts
from db.repositories.jobs import Jobs
from db.repositories.memo import Memo
from db.repositories.outlines import read_outlines
from db.repositories.quarantines import Quarantines
from db.repositories.results import read_results
from db.repositories.rig_time import read_rig_seconds
from db.repositories.sweeps import Sweeps
from db.repositories.trials import Trials
from db.repositories.verifications import Verifications
from db.rows import TrialResult
from db.schema import ensure_schema
from db.sqlite import sqlite_engine
from db.transactions import Clock, Store, utc_now
from db.watch import Watch


class Database:
    """An open database. A context manager: leaving it closes every connection.

    `shown` is its path, or its URL with the password hidden; `url` is the whole URL, which is
    what Optuna's storage is opened with, and which is never to be printed.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.sweeps = Sweeps(store)
        self.hosts = Hosts(store)
        self.trials = Trials(store)
        self.jobs = Jobs(store)
        self.memo = Memo(store)
        self.exchange = Exchange(store)
        self.quarantines = Quarantines(store)
        self.verifications = Verifications(store)
        self._watch = Watch(store)

    def results(self, sweep_id: int, only: Iterable[int] = ()) -> tuple[TrialResult, ...]:
        """Every trial of a sweep with everything known of it, in the order they were added.

        Or `only` the trials with these ids, which are to be fewer than 30,000.
        """
        with self._store.reading() as session:
            return read_results(session, sweep_id, tuple(only))

    def outlines(self, sweep_id: int, since: datetime | None = None) -> tuple[TrialOutline, ...]:
        """Every ended trial with its estimates, without all that only few of them need.

        With `since` only those of which something became known then or later.
        """
        with self._store.reading() as session:
            return read_outlines(session, sweep_id, since)

    def rig_seconds(self, sweep_id: int) -> dict[int, float]:
        """Seconds that rigs were busy with a sweep, by the id of the trial that ended then."""
        with self._store.reading() as session:
            return read_rig_seconds(session, sweep_id)

    def mark(self) -> str:
        """A text that differs whenever a sweep, a trial or a job began or ended in between."""
        return self._watch.mark()

    @property
    def shown(self) -> str:
        """What to call it in messages."""
        return self._store.address.shown

    @property
    def url(self) -> str:
        """The URL for another library, its password included."""
        return self._store.address.url.render_as_string(hide_password=False)

    @property
    def engine(self) -> Engine:
        """SQLAlchemy's engine, for benchmarks and tests."""
        return self._store.engine

    def close(self) -> None:
        """Closes every connection; SQLite then folds its log into the file."""
        self._watch.close()
        self._store.engine.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Database({self.shown})"


def open_database(url: str, *, read_only: bool = False, clock: Clock = utc_now) -> Database:
    """Opens a database, making or migrating it first unless it is `read_only`.

    `url` is a path, `sqlite:///PATH` or `postgresql+psycopg://USER@HOST/NAME`. Raises
    DatabaseError, in one sentence, for everything that can be wrong with it.
    """
    address = Address.parse(url)
    if address.path is not None:
        check_file(address.path, read_only=read_only)
    engine = _engine(address, read_only)
    try:
        ensure_schema(engine, address, read_only=read_only)
        if address.path is not None and not read_only:
            _check_log(engine, address)
    except SQLAlchemyError as error:
        engine.dispose()
        # From None: a driver's own message may repeat the connection string.
        raise explain(error, address) from None
    except DatabaseError:
        engine.dispose()
        raise
    return Database(Store(engine, address, read_only=read_only, clock=clock))


def _engine(address: Address, read_only: bool) -> Engine:
    if address.path is not None:
        return sqlite_engine(address, read_only=read_only)
    return postgres_engine(address, read_only=read_only)


def _check_log(engine: Engine, address: Address) -> None:
    """Some file systems keep no shared memory: SQLite then quietly stays without its log."""
    with engine.connect() as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
    if mode != "wal":
        raise DatabaseError(
            f"{address.shown} is on a file system that SQLite's write-ahead log does not work on.",
            "Name a file on a local disk, or use PostgreSQL.",
        )
