"""Sweeps: started once, resumed by the same command, found by what people call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from db.errors import DatabaseError
from db.rows import Driver, SweepRow
from db.server_time import server_time
from db.spaces import space_from_json, space_to_json
from db.states import SweepState
from db.tables.sweeps import SweepTable
from db.transactions import Store
from search_spaces.names import did_you_mean
from search_spaces.space import Space

LATEST = "latest"


class Sweeps:
    """One row for each key, and the driver that works on it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def start_or_resume(
        self,
        key: str,
        space: Space,
        driver: Driver,
        *,
        fingerprint: Mapping[str, str],
        is_alive: Callable[[Driver], bool],
    ) -> SweepRow:
        """Makes the sweep of this key, or takes it over; `runs` tells which.

        `is_alive` is asked about the driver of a sweep that is still marked running; when it
        lives, DatabaseError says so: two drivers would measure everything twice. `fingerprint`
        names what the sweep runs with (versions, hashes); the last run's is kept.
        """
        with self._store.writing() as session:
            row = session.scalars(
                select(SweepTable).where(SweepTable.key == key).with_for_update()
            ).one_or_none()
            if row is None:
                data, named = space_to_json(space)
                row = SweepTable(
                    key=key,
                    name=space.name,
                    title=space.title,
                    space=data,
                    named_facets=named,
                    started=self._store.now(),
                    runs=0,
                )
                session.add(row)
            elif row.state is SweepState.RUNNING:
                _refuse_a_second_driver(row, driver, is_alive, session)
            row.state = SweepState.RUNNING
            row.ended = None
            row.runs += 1
            row.fingerprint = dict(fingerprint)
            row.driver_host = driver.host
            row.driver_pid = driver.pid
            row.driver_started = driver.pid_started
            row.heartbeat = session.scalars(select(server_time(session))).one()
            session.flush()
            return _row(row, row.heartbeat)

    def beat(self, sweep_id: int, driver: Driver) -> bool:
        """The driver is there. False: the sweep is another driver's by now."""
        with self._store.writing() as session:
            beaten = session.execute(
                update(SweepTable)
                .where(
                    SweepTable.id == sweep_id,
                    SweepTable.driver_host == driver.host,
                    SweepTable.driver_pid == driver.pid,
                    SweepTable.driver_started == driver.pid_started,
                )
                .values(heartbeat=server_time(session))
                .execution_options(synchronize_session=False)
            )
            return bool(beaten.rowcount)  # type: ignore[attr-defined]

    def finish(self, sweep_id: int) -> None:
        """Its budget is spent, or its space exhausted."""
        self._end(sweep_id, SweepState.FINISHED)

    def interrupt(self, sweep_id: int) -> None:
        """It was stopped before its end; the same command resumes it."""
        self._end(sweep_id, SweepState.INTERRUPTED)

    def _end(self, sweep_id: int, state: SweepState) -> None:
        with self._store.writing() as session:
            session.execute(
                update(SweepTable)
                .where(SweepTable.id == sweep_id)
                .values(state=state, ended=self._store.now())
            )

    def get(self, key: str) -> SweepRow | None:
        """The sweep of exactly this key."""
        return self._first(select(SweepTable).where(SweepTable.key == key))

    def latest(self) -> SweepRow | None:
        """The sweep that was started last; an imported one only where there is no other."""
        own_first = select(SweepTable).order_by(SweepTable.imported.is_not(None))
        newest = own_first.order_by(SweepTable.started.desc(), SweepTable.id.desc())
        return self._first(newest)

    def find(self, reference: str) -> SweepRow:
        """`latest`, a name (its newest sweep), or the beginning of a key.

        Raises DatabaseError that names the nearest name.
        """
        if reference == LATEST:
            found = self.latest()
        else:
            newest = _newest_first()
            found = self._first(newest.where(SweepTable.name == reference)) or self._first(
                newest.where(SweepTable.key.startswith(reference, autoescape=True))
            )
        if found is None:
            with self._store.reading() as session:
                names = session.scalars(select(SweepTable.name).distinct()).all()
            raise DatabaseError(
                f"there is no sweep {reference!r} in {self._store.address.shown}.",
                did_you_mean(reference, names) or "Run one first: orchestrate sweep.",
            )
        return found

    def list(self) -> tuple[SweepRow, ...]:
        """All of them, newest first."""
        with self._store.reading() as session:
            now = session.scalars(select(server_time(session))).one()
            return tuple(_row(row, now) for row in session.scalars(_newest_first()))

    def _first(self, query: Select[SweepTable]) -> SweepRow | None:
        with self._store.reading() as session:
            row = session.scalars(query.limit(1)).first()
            now = session.scalars(select(server_time(session))).one()
            return None if row is None else _row(row, now)


def _newest_first() -> Select[SweepTable]:
    return select(SweepTable).order_by(SweepTable.started.desc(), SweepTable.id.desc())


def _refuse_a_second_driver(
    row: SweepTable, driver: Driver, is_alive: Callable[[Driver], bool], session: Session
) -> None:
    before = _driver(row, session.scalars(select(server_time(session))).one())
    if before != driver and is_alive(before):
        raise DatabaseError(
            f"the sweep {row.name} is already run by process {before.pid} on {before.host}.",
            "Wait for it, or stop it first.",
        )


def _driver(row: SweepTable, now: float) -> Driver:
    return Driver(row.driver_host, row.driver_pid, row.driver_started, now - row.heartbeat)


def _row(row: SweepTable, now: float) -> SweepRow:
    return SweepRow(
        id=row.id,
        key=row.key,
        name=row.name,
        title=row.title,
        space=space_from_json(row.space, row.named_facets),
        fingerprint=dict(row.fingerprint),
        state=row.state,
        runs=row.runs,
        started=row.started,
        ended=row.ended,
        driver=_driver(row, now),
        imported=row.imported,
    )
