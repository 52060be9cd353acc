"""Trials with everything known of them, in a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, exists, select, union
from sqlalchemy.orm import Session

from db.repositories.failure_rows import failure_row, failures
from db.repositories.measurement_rows import read_measurements
from db.repositories.trial_rows import read_trials
from db.rows import FailureRow, Measurement, TrialResult, TrialRow
from db.states import TrialRole
from db.tables.jobs import FailureTable, GateTable, JobFacetTable, JobTable
from db.tables.measurements import MeasurementTable
from db.tables.sweeps import TrialFacetTable, TrialTable
from workers.contract.outcome import GateVerdict


def read_results(
    session: Session, sweep_id: int, only: tuple[int, ...] = ()
) -> tuple[TrialResult, ...]:
    """Every trial of a sweep (or `only` these) but its anchors, in the order they were added."""
    wanted = [TrialTable.sweep_id == sweep_id, *([TrialTable.id.in_(only)] if only else [])]
    trials = read_trials(session, *wanted, TrialTable.role != TrialRole.ANCHOR)
    known = _Known.read(session, *wanted)
    return tuple(_result(trial, known) for trial in trials)


@dataclass(frozen=True, slots=True)
class _JobFacts:
    argv: tuple[str, ...]
    log_path: str
    simulated: bool


@dataclass(frozen=True, slots=True)
class _Known:
    """What a sweep's trials refer to, each part read by one query."""

    measurements: dict[str, list[Measurement]]
    flags: dict[tuple[str, str], list[str]]  # by memo key and job
    jobs: dict[str, _JobFacts]
    gates: dict[str, list[GateVerdict]]
    failures: dict[str, FailureRow]

    @classmethod
    def read(cls, session: Session, *wanted: ColumnElement[bool]) -> _Known:
        keys = (
            select(TrialFacetTable.memo_key)
            .join(TrialTable, TrialTable.id == TrialFacetTable.trial_id)
            .where(*wanted)
        )
        measuring = select(MeasurementTable.job_id).where(MeasurementTable.memo_key.in_(keys))
        failing = select(TrialTable.failed_by).where(*wanted, TrialTable.failed_by.is_not(None))
        jobs = union(measuring, failing).subquery()
        job_ids = select(jobs.c.job_id)

        measurements: dict[str, list[Measurement]] = defaultdict(list)
        for row in read_measurements(session, MeasurementTable.memo_key.in_(keys)):
            measurements[row.memo_key].append(row)
        gates: dict[str, list[GateVerdict]] = defaultdict(list)
        for job, gate, passed, detail, fatal in session.execute(_gates(job_ids)):
            gates[job].append(GateVerdict(gate, passed, detail, fatal))
        return cls(
            measurements=measurements,
            flags=_flags(session, keys),
            jobs=_jobs(session, job_ids),
            gates=gates,
            failures={
                row.job_id: failure_row(row)
                for row in session.execute(failures().where(FailureTable.job_id.in_(failing)))
            },
        )


def _gates(job_ids: Select[str]) -> Select[str, str, bool, str, bool]:
    table = GateTable
    return (
        select(table.job_id, table.gate, table.passed, table.detail, table.fatal)
        .where(table.job_id.in_(job_ids))
        .order_by(table.job_id, table.position)
    )


def _flags(session: Session, keys: Select[str]) -> dict[tuple[str, str], list[str]]:
    """The flags that came with the estimates in use."""
    used = exists().where(
        MeasurementTable.job_id == JobFacetTable.job_id,
        MeasurementTable.memo_key == JobFacetTable.memo_key,
    )
    query = select(JobFacetTable.memo_key, JobFacetTable.job_id, JobFacetTable.flags).where(
        JobFacetTable.memo_key.in_(keys), JobFacetTable.position.is_not(None), used
    )
    return {(key, job): flags for key, job, flags in session.execute(query) if flags}


def _jobs(session: Session, job_ids: Select[str]) -> dict[str, _JobFacts]:
    query = select(JobTable.id, JobTable.argv, JobTable.log_path, JobTable.simulated).where(
        JobTable.id.in_(job_ids)
    )
    return {
        job: _JobFacts(tuple(argv), log_path, simulated)
        for job, argv, log_path, simulated in session.execute(query)
    }


def _result(trial: TrialRow, known: _Known) -> TrialResult:
    rows = [row for key in trial.memo.values() for row in known.measurements.get(key, ())]
    by_rig = [row.job_id for row in rows if row.facet.belongs_to_rig]
    first = [trial.failed_by] if trial.failed_by else []
    jobs = tuple(dict.fromkeys([*first, *by_rig, *(row.job_id for row in rows)]))
    main = known.jobs[jobs[0]] if jobs else None
    flags = [flag for row in rows for flag in known.flags.get((row.memo_key, row.job_id), ())]
    return TrialResult(
        trial=trial,
        estimates={row.estimate.metric: row for row in rows},
        failure=known.failures.get(trial.failed_by) if trial.failed_by else None,
        flags=_once([*trial.flags, *flags]),
        gates=tuple(gate for job in jobs for gate in known.gates.get(job, ())),
        jobs=jobs,
        argv=main.argv if main else (),
        log_path=main.log_path if main else "",
        simulated=any(known.jobs[job].simulated for job in jobs),
    )


def _once(flags: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(flags))
