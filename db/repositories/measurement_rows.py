"""Reading estimates in bulk."""

from __future__ import annotations

import math

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from db.rows import Measurement
from db.tables.jobs import JobTable
from db.tables.measurements import MeasurementTable
from workers.contract.outcome import Estimate


def read_measurements(session: Session, *where: ColumnElement[bool]) -> tuple[Measurement, ...]:
    """The estimates that match, by memo key and metric."""
    table = MeasurementTable
    query = (
        select(
            table.memo_key,
            table.facet,
            table.metric,
            table.value,
            table.low,
            table.high,
            table.n,
            table.unit,
            table.build_label,
            table.build_sha256,
            table.job_id,
            JobTable.simulated,
        )
        .join(JobTable, JobTable.id == table.job_id)
        .where(*where)
        .order_by(table.memo_key, table.metric)
    )
    return tuple(
        Measurement(
            key,
            facet,
            Estimate(metric, math.nan if value is None else value, low, high, n),
            unit,
            label,
            sha256,
            job,
            simulated,
        )
        for (
            key,
            facet,
            metric,
            value,
            low,
            high,
            n,
            unit,
            label,
            sha256,
            job,
            simulated,
        ) in session.execute(query)
    )
