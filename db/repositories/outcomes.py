"""A whole outcome, written within one transaction, and read back."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.repositories.outcome_parts import (
    add_facet,
    add_gates,
    add_measurements,
    add_samples,
    note_launches,
    read_results,
    read_trace,
)
from db.states import JobState
from db.tables.jobs import FailureTable, JobTable
from workers.contract.failure import Diagnosis
from workers.contract.outcome import Completed, Failed, Outcome


def write_outcome(session: Session, job: JobTable, outcome: Outcome, now: datetime) -> None:
    """Ends the job and stores everything that came with its outcome."""
    _end(job, outcome, now)
    note_launches(session, job.id, outcome.trace.launches)
    add_gates(session, job.id, outcome.trace.gates)
    for position, result in enumerate(outcome.results):
        add_facet(session, job.id, position, result)
        add_measurements(session, job.id, result)
        add_samples(session, job.id, result)
    if isinstance(outcome, Failed):
        diagnosis = outcome.diagnosis
        session.add(
            FailureTable(
                job_id=job.id,
                kind=diagnosis.kind,
                phase=outcome.phase,
                evidence=diagnosis.evidence,
                advice=diagnosis.advice,
                deterministic=diagnosis.deterministic,
                detail=diagnosis.detail,
            )
        )


def _end(job: JobTable, outcome: Outcome, now: datetime) -> None:
    trace = outcome.trace
    job.state = JobState.FAILED if isinstance(outcome, Failed) else JobState.DONE
    job.ended = now
    job.start_s, job.facets_s, job.wall_s = trace.start_s, trace.facets_s, trace.wall_s
    job.effective = dict(trace.effective)
    job.telemetry = dict(trace.telemetry)
    job.log_tail = trace.log_tail
    if trace.launches:
        job.argv = list(trace.launches[-1].argv)
        job.log_path = trace.launches[-1].log_path
    if isinstance(outcome, Completed):
        job.same_as = outcome.same_as


def read_outcome(session: Session, job: JobTable) -> Outcome:
    """The outcome of a job that has ended."""
    results = read_results(session, job.id)
    trace = read_trace(session, job)
    if job.state is JobState.DONE:
        return Completed(job.id, results, trace, job.same_as)
    row = session.scalars(select(FailureTable).where(FailureTable.job_id == job.id)).one()
    diagnosis = Diagnosis(row.kind, row.evidence, row.advice, row.deterministic, row.detail)
    return Failed(job.id, diagnosis, row.phase, results, trace)
