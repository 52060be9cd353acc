"""Every ended trial of a sweep in outline: few columns, four queries, however many there are."""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import datetime

from sqlalchemy import ColumnElement, exists, or_, select
from sqlalchemy.orm import Session

from db.outline_rows import TrialOutline
from db.repositories.failure_rows import failure_row, failures
from db.repositories.trial_rows import candidate_of_row
from db.states import TrialRole, TrialState
from db.tables.jobs import FailureTable, JobTable
from db.tables.measurements import MeasurementTable
from db.tables.sweeps import TrialFacetTable, TrialTable
from workers.contract.outcome import Estimate

_ENDED = (TrialState.COMPLETE, TrialState.FAILED)


def read_outlines(
    session: Session, sweep_id: int, since: datetime | None = None
) -> tuple[TrialOutline, ...]:
    """The ended trials but anchors, in the order they were added.

    With `since` only those that ended, or have a number that was measured, then or later.
    """
    wanted = [
        TrialTable.sweep_id == sweep_id,
        TrialTable.role != TrialRole.ANCHOR,
        TrialTable.state.in_(_ENDED),
        *([_news(since)] if since else []),
    ]
    estimates = _estimates(session, wanted)
    failed = {
        row.job_id: failure_row(row).diagnosis
        for row in session.execute(
            failures().where(FailureTable.job_id.in_(select(TrialTable.failed_by).where(*wanted)))
        )
    }
    simulated = _simulated(session, wanted)
    table = TrialTable
    query = select(
        table.id,
        table.rig,
        table.number,
        table.role,
        table.state,
        table.candidate,
        table.ended,
        table.failed_by,
    )
    return tuple(
        TrialOutline(
            row.id,
            row.rig,
            row.number,
            row.role,
            row.state,
            candidate_of_row(row),
            row.ended,
            estimates.get(row.id, {}),
            failed.get(row.failed_by),
            row.id in simulated,
        )
        for row in session.execute(query.where(*wanted).order_by(table.id))
    )


def _news(since: datetime) -> ColumnElement[bool]:
    measured = (
        select(TrialFacetTable.trial_id)
        .join(MeasurementTable, MeasurementTable.memo_key == TrialFacetTable.memo_key)
        .join(JobTable, JobTable.id == MeasurementTable.job_id)
        .where(JobTable.ended >= since)
    )
    return or_(TrialTable.ended >= since, TrialTable.id.in_(measured))


def _estimates(
    session: Session, wanted: list[ColumnElement[bool]]
) -> dict[int, dict[str, Estimate]]:
    table = MeasurementTable
    query = (
        select(TrialFacetTable.trial_id, table.metric, table.value, table.low, table.high, table.n)
        .join(TrialTable, TrialTable.id == TrialFacetTable.trial_id)
        .join(table, table.memo_key == TrialFacetTable.memo_key)
        .where(*wanted)
    )
    found: dict[int, dict[str, Estimate]] = defaultdict(dict)
    for trial_id, metric, value, low, high, n in session.execute(query):
        number = math.nan if value is None else value
        found[trial_id][metric] = Estimate(metric, number, low, high, n)
    return found


def _simulated(session: Session, wanted: list[ColumnElement[bool]]) -> set[int]:
    """The trials with a number that was replayed; there are none in most databases."""
    if not session.scalar(select(exists().where(JobTable.simulated))):
        return set()
    query = (
        select(TrialFacetTable.trial_id)
        .join(TrialTable, TrialTable.id == TrialFacetTable.trial_id)
        .join(MeasurementTable, MeasurementTable.memo_key == TrialFacetTable.memo_key)
        .join(JobTable, JobTable.id == MeasurementTable.job_id)
        .where(JobTable.simulated, *wanted)
    )
    return set(session.scalars(query))
