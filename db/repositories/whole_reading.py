"""Reading a sweep whole, with the jobs of other sweeps whose numbers it uses."""

from __future__ import annotations

from sqlalchemy import select, union
from sqlalchemy.orm import Session

from db.codec import from_json
from db.repositories.outcomes import read_outcome
from db.repositories.trial_rows import read_trials
from db.states import JobState, SweepState, TrialState
from db.tables.hosts import RigTable, SweepHostTable
from db.tables.jobs import JobFacetTable, JobTable
from db.tables.sweeps import SweepTable, TrialFacetTable, TrialTable
from db.whole import WholeJob, WholeSweep, WholeTrial
from workers.contract.outcome import Completed, Failed
from workers.contract.reports import HostReport, RigReport
from workers.contract.resolved import ResolvedCandidate


def read_whole(session: Session, sweep_id: int) -> WholeSweep:
    """Everything that has ended; what still runs or waits is left out."""
    sweep = session.get_one(SweepTable, sweep_id)
    reports = session.scalars(
        select(SweepHostTable.report)
        .where(SweepHostTable.sweep_id == sweep_id)
        .order_by(SweepHostTable.host)
    )
    jobs = _jobs(session, sweep_id)
    trials = _trials(session, sweep_id)
    ends = [sweep.ended or sweep.started, *(job.ended for job in jobs), *(t.ended for t in trials)]
    return WholeSweep(
        key=sweep.key,
        name=sweep.space["name"],
        space=sweep.space,
        named_facets=list(sweep.named_facets),
        fingerprint=dict(sweep.fingerprint),
        state=sweep.state if sweep.ended else SweepState.INTERRUPTED,
        started=sweep.started,
        ended=max(ends),
        hosts=tuple(from_json(HostReport, data) for data in reports),
        jobs=jobs,
        trials=trials,
    )


def _jobs(session: Session, sweep_id: int) -> tuple[WholeJob, ...]:
    keys = (
        select(TrialFacetTable.memo_key)
        .join(TrialTable, TrialTable.id == TrialFacetTable.trial_id)
        .where(TrialTable.sweep_id == sweep_id)
    )
    ids = union(
        select(JobTable.id).where(JobTable.sweep_id == sweep_id),
        select(JobFacetTable.job_id).where(
            JobFacetTable.memo_key.in_(keys), JobFacetTable.position.is_not(None)
        ),
        select(TrialTable.failed_by).where(
            TrialTable.sweep_id == sweep_id, TrialTable.failed_by.is_not(None)
        ),
    ).subquery()
    query = (
        select(JobTable, RigTable.report)
        .join(RigTable, RigTable.id == JobTable.rig_id)
        .where(JobTable.id.in_(select(ids.c.id)), JobTable.state != JobState.RUNNING)
        .order_by(JobTable.started, JobTable.id)
    )
    return tuple(_job(session, job, report) for job, report in session.execute(query).all())


def _job(session: Session, job: JobTable, rig: object) -> WholeJob:
    links = session.execute(
        select(JobFacetTable.facet, JobFacetTable.memo_key)
        .where(JobFacetTable.job_id == job.id)
        .order_by(JobFacetTable.facet)
    )
    outcome = read_outcome(session, job)
    return WholeJob(
        id=job.id,
        rig=from_json(RigReport, rig),
        attempt=job.attempt,
        seed=job.seed,
        simulated=job.simulated,
        resolved=from_json(ResolvedCandidate, job.resolved),
        recipe=job.recipe,
        stop=job.stop,
        memo={link.facet: link.memo_key for link in links},
        started=job.started,
        ended=job.ended or job.started,
        completed=outcome if isinstance(outcome, Completed) else None,
        failed=outcome if isinstance(outcome, Failed) else None,
    )


def _trials(session: Session, sweep_id: int) -> tuple[WholeTrial, ...]:
    rows = read_trials(
        session, TrialTable.sweep_id == sweep_id, TrialTable.state != TrialState.WAITING
    )
    return tuple(
        WholeTrial(
            id=row.id,
            rig=row.rig,
            number=row.number,
            role=row.role,
            state=row.state,
            candidate=row.candidate,
            resolved_key=row.resolved_key,
            effective_key=row.effective_key,
            same_as=row.same_as,
            failed_by=row.failed_by,
            flags=row.flags,
            created=row.created,
            ended=row.ended or row.created,
            memo=row.memo,
        )
        for row in rows
    )
