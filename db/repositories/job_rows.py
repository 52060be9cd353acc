"""Reading jobs together with their memo keys, in two queries however many there are."""

from __future__ import annotations

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from db.codec import from_json
from db.rows import JobRow
from db.tables.hosts import RigTable
from db.tables.jobs import JobFacetTable, JobTable
from search_spaces.metrics import Facet
from workers.contract.resolved import ResolvedCandidate


def read_jobs(session: Session, *where: ColumnElement[bool]) -> tuple[JobRow, ...]:
    """The jobs that match, in the order they started."""
    memo: dict[str, dict[Facet, str]] = {}
    links = (
        select(JobFacetTable.job_id, JobFacetTable.facet, JobFacetTable.memo_key)
        .join(JobTable, JobTable.id == JobFacetTable.job_id)
        .where(*where)
        .order_by(JobFacetTable.facet)
    )
    for job_id, facet, key in session.execute(links):
        memo.setdefault(job_id, {})[facet] = key
    query = (
        select(JobTable, RigTable.name, RigTable.hardware_key)
        .join(RigTable, RigTable.id == JobTable.rig_id)
        .where(*where)
        .order_by(JobTable.started, JobTable.id)
    )
    return tuple(
        JobRow(
            id=job.id,
            sweep_id=job.sweep_id,
            state=job.state,
            resolved=from_json(ResolvedCandidate, job.resolved),
            rig=rig,
            hardware_key=hardware_key,
            simulated=job.simulated,
            attempt=job.attempt,
            memo=memo.get(job.id, {}),
            started=job.started,
            ended=job.ended,
            start_s=job.start_s,
            facets_s=job.facets_s,
            wall_s=job.wall_s,
            log_path=job.log_path,
            argv=tuple(job.argv),
            effective=dict(job.effective),
            telemetry=from_json(dict[str, float], job.telemetry),
            log_tail=job.log_tail,
        )
        for job, rig, hardware_key in session.execute(query)
    )
