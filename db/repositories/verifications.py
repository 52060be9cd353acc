"""Verifications: begun with their order of runs, ended with their claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, insert, select, update
from sqlalchemy.orm import Session

from db.codec import from_json
from db.rows import Driver
from db.states import SweepState
from db.tables.verifications import (
    VerificationClaimTable,
    VerificationRunTable,
    VerificationTable,
)
from db.transactions import Store
from db.verification_rows import ClaimRow, RunRow, VerificationRow
from search_spaces.metrics import Facet


class Verifications:
    """What `orchestrate verify` leaves. The sweep itself is never touched."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def start(
        self, sweep_id: int, driver: Driver, seed: int, launches: int, runs: Iterable[RunRow]
    ) -> int:
        """Notes what is about to be run, before anything is; returns the verification's id."""
        with self._store.writing() as session:
            row = VerificationTable(
                sweep_id=sweep_id,
                state=SweepState.RUNNING,
                seed=seed,
                launches=launches,
                started=self._store.now(),
                driver_host=driver.host,
                driver_pid=driver.pid,
                driver_started=driver.pid_started,
            )
            session.add(row)
            session.flush()
            planned = [
                {
                    "verification_id": row.id,
                    "rig": run.rig,
                    "position": run.position,
                    "round": run.round,
                    "trial_id": run.trial_id,
                    "memo": dict(run.memo),
                }
                for run in runs
            ]
            session.execute(insert(VerificationRunTable), planned)
            return row.id

    def begin(self, verification_id: int, run: RunRow, job_id: str) -> None:
        """A run's job is on its way (again, after one that was lost)."""
        table = VerificationRunTable
        with self._store.writing() as session:
            session.execute(
                update(table)
                .where(
                    table.verification_id == verification_id,
                    table.rig == run.rig,
                    table.position == run.position,
                )
                .values(job_id=job_id)
            )

    def finish(self, verification_id: int, claims: Sequence[ClaimRow]) -> None:
        """Every run is over and judged."""
        names = (
            "rig",
            "trial_id",
            "kind",
            "verdict",
            "sentence",
            "claimed",
            "value",
            "low",
            "high",
        )
        rows = [
            {"verification_id": verification_id, "position": position}
            | {name: getattr(claim, name) for name in names}
            for position, claim in enumerate(claims)
        ]
        with self._store.writing() as session:
            if rows:
                session.execute(insert(VerificationClaimTable), rows)
            self._end(session, verification_id, SweepState.FINISHED)

    def interrupt(self, verification_id: int) -> None:
        """It was stopped: it says nothing."""
        with self._store.writing() as session:
            self._end(session, verification_id, SweepState.INTERRUPTED)

    def _end(self, session: Session, verification_id: int, state: SweepState) -> None:
        session.execute(
            update(VerificationTable)
            .where(VerificationTable.id == verification_id)
            .values(state=state, ended=self._store.now())
        )

    def of(self, sweep_id: int) -> tuple[VerificationRow, ...]:
        """Those of a sweep, newest first, whatever their state."""
        return self._read(VerificationTable.sweep_id == sweep_id)

    def running(self) -> tuple[VerificationRow, ...]:
        """Those that did not say that they ended, of every sweep."""
        return self._read(VerificationTable.state == SweepState.RUNNING)

    def _read(self, where: ColumnElement[bool]) -> tuple[VerificationRow, ...]:
        runs, claims = VerificationRunTable, VerificationClaimTable
        with self._store.reading() as session:
            found = session.scalars(
                select(VerificationTable).where(where).order_by(VerificationTable.id.desc())
            ).all()
            ids = [row.id for row in found]
            ran = session.scalars(
                select(runs).where(runs.verification_id.in_(ids)).order_by(runs.rig, runs.position)
            ).all()
            said = session.scalars(
                select(claims).where(claims.verification_id.in_(ids)).order_by(claims.position)
            ).all()
            return tuple(
                VerificationRow(
                    row.id,
                    row.sweep_id,
                    row.state,
                    row.seed,
                    row.launches,
                    row.started,
                    row.ended,
                    Driver(row.driver_host, row.driver_pid, row.driver_started),
                    tuple(_run(run) for run in ran if run.verification_id == row.id),
                    tuple(_claim(claim) for claim in said if claim.verification_id == row.id),
                )
                for row in found
            )


def _run(row: VerificationRunTable) -> RunRow:
    memo = from_json(dict[Facet, str], row.memo)
    return RunRow(row.rig, row.position, row.round, row.trial_id, memo, row.job_id)


def _claim(row: VerificationClaimTable) -> ClaimRow:
    return ClaimRow(
        row.rig,
        row.trial_id,
        row.kind,
        row.verdict,
        row.sentence,
        row.claimed,
        row.value,
        row.low,
        row.high,
    )
