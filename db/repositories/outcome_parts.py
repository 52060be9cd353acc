"""The parts of an outcome, written within its transaction, and read back."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from db.codec import from_json, to_json
from db.repositories.sample_rows import read_samples
from db.tables.jobs import GateTable, JobFacetTable, JobTable, LaunchTable
from db.tables.measurements import MeasurementTable, SampleTable
from db.upsert import insert_into
from search_spaces.candidate import Value
from search_spaces.metrics import METRICS
from workers.contract.outcome import (
    Estimate,
    FacetResult,
    GateVerdict,
    JobTrace,
    LaunchRecord,
    Series,
)
from workers.contract.reports import Build


def note_launches(session: Session, job_id: str, launches: Sequence[LaunchRecord]) -> None:
    """The outcome's launches take the place of what was noted when they started."""
    noted = delete(LaunchTable).where(LaunchTable.job_id == job_id, LaunchTable.position.is_(None))
    for position, launch in enumerate(launches):
        same = (LaunchTable.pid == launch.pid, LaunchTable.pid_started == launch.pid_started)
        session.execute(noted.where(*same))
        session.add(launch_row(job_id, position, launch))


def launch_row(job_id: str, position: int | None, launch: LaunchRecord) -> LaunchTable:
    """A launch as a row; `position` is None while the job has no outcome."""
    return LaunchTable(
        job_id=job_id,
        position=position,
        pid=launch.pid,
        pid_started=launch.pid_started,
        argv=list(launch.argv),
        log_path=launch.log_path,
        start_s=launch.start_s,
        series=to_json(launch.series) if launch.series else None,
    )


def add_gates(session: Session, job_id: str, gates: Sequence[GateVerdict]) -> None:
    """What each gate said, in the order they were asked."""
    for position, gate in enumerate(gates):
        session.add(
            GateTable(
                job_id=job_id,
                position=position,
                gate=gate.gate,
                passed=gate.passed,
                fatal=gate.fatal,
                detail=gate.detail,
            )
        )


def add_facet(session: Session, job_id: str, position: int, result: FacetResult) -> None:
    """What this job delivered for one facet, its own estimates included."""
    session.merge(
        JobFacetTable(
            job_id=job_id,
            memo_key=result.memo_key,
            facet=result.facet,
            position=position,
            build_role=result.build.role,
            build_label=result.build.label,
            build_sha256=result.build.sha256,
            build_path=result.build.path,
            estimates=to_json(list(result.estimates)),
            flags=list(result.flags),
        )
    )


def add_measurements(session: Session, job_id: str, result: FacetResult) -> None:
    """Becomes the best estimate where none was, or one with fewer repetitions.

    The comparison is by facet, so that numbers made together stay together.
    """
    if not result.estimates:
        return
    facet_n = max(estimate.n for estimate in result.estimates)
    into = insert_into(session, MeasurementTable)
    new = into.excluded
    replaced = ("value", "low", "high", "unit", "n", "facet_n", "build_label", "build_sha256")
    session.execute(
        into.on_conflict_do_update(
            index_elements=["memo_key", "metric"],
            set_={name: new[name] for name in (*replaced, "job_id")},
            where=new.facet_n > MeasurementTable.facet_n,
        ),
        [
            {
                "memo_key": result.memo_key,
                "facet": result.facet,
                "metric": estimate.metric,
                "value": _number(estimate.value),
                "low": _number(estimate.low),
                "high": _number(estimate.high),
                "unit": METRICS[estimate.metric].unit if estimate.metric in METRICS else "",
                "n": estimate.n,
                "facet_n": facet_n,
                "build_label": result.build.label,
                "build_sha256": result.build.sha256,
                "job_id": job_id,
            }
            for estimate in result.estimates
        ],
    )


def _number(value: float | None) -> float | None:
    """SQLite has no NaN; NULL stands for it on every database."""
    return None if value is None or math.isnan(value) else value


def add_samples(session: Session, job_id: str, result: FacetResult) -> None:
    """Every raw observation."""
    if result.samples:
        session.execute(
            insert(SampleTable),
            [
                {
                    "memo_key": result.memo_key,
                    "job_id": job_id,
                    "facet": result.facet,
                    "position": position,
                    "label": sample.label,
                    "group_name": sample.group,
                    "launch": sample.launch,
                    "repeat": sample.repeat,
                    "raw_values": dict(sample.values),
                }
                for position, sample in enumerate(result.samples)
            ],
        )


def read_results(session: Session, job_id: str) -> tuple[FacetResult, ...]:
    """What one job delivered, facet by facet."""
    samples = read_samples(session, SampleTable.job_id == job_id)
    facets = session.scalars(
        select(JobFacetTable)
        .where(JobFacetTable.job_id == job_id, JobFacetTable.position.is_not(None))
        .order_by(JobFacetTable.position)
    )
    return tuple(
        FacetResult(
            facet=row.facet,
            memo_key=row.memo_key,
            build=Build(
                str(row.build_role),
                str(row.build_label),
                str(row.build_sha256),
                str(row.build_path),
            ),
            estimates=from_json(tuple[Estimate, ...], row.estimates),
            samples=tuple(s.sample for s in samples if s.memo_key == row.memo_key),
            flags=tuple(row.flags),
        )
        for row in facets
    )


def read_trace(session: Session, job: JobTable) -> JobTrace:
    """How one job went."""
    launches = session.scalars(
        select(LaunchTable)
        .where(LaunchTable.job_id == job.id, LaunchTable.position.is_not(None))
        .order_by(LaunchTable.position)
    )
    gates = session.scalars(
        select(GateTable).where(GateTable.job_id == job.id).order_by(GateTable.position)
    )
    return JobTrace(
        launches=tuple(
            LaunchRecord(
                tuple(row.argv),
                row.log_path,
                row.pid,
                row.start_s,
                row.pid_started,
                from_json(Series, row.series) if row.series else None,
            )
            for row in launches
        ),
        gates=tuple(GateVerdict(row.gate, row.passed, row.detail, row.fatal) for row in gates),
        effective=from_json(dict[str, Value], job.effective),
        start_s=job.start_s or 0.0,
        facets_s=job.facets_s or 0.0,
        wall_s=job.wall_s or 0.0,
        telemetry=from_json(dict[str, float], job.telemetry),
        log_tail=job.log_tail,
    )
