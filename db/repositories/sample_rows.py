"""Reading raw samples in bulk."""

from __future__ import annotations

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from db.codec import from_json
from db.rows import SampleRow
from db.tables.jobs import JobTable
from db.tables.measurements import SampleTable
from workers.contract.outcome import Sample


def read_samples(session: Session, *where: ColumnElement[bool]) -> tuple[SampleRow, ...]:
    """The samples that match: oldest job first, within a job in the order they were made."""
    query = (
        select(
            SampleTable.memo_key,
            SampleTable.facet,
            SampleTable.job_id,
            JobTable.ended,
            SampleTable.label,
            SampleTable.raw_values,
            SampleTable.launch,
            SampleTable.repeat,
            SampleTable.group_name,
        )
        .join(JobTable, JobTable.id == SampleTable.job_id)
        .where(*where)
        .order_by(SampleTable.id)
    )
    return tuple(
        SampleRow(memo_key, facet, job, ended, Sample(label, _values(raw), launch, repeat, group))
        for memo_key, facet, job, ended, label, raw, launch, repeat, group in session.execute(query)
    )


def _values(raw: dict[str, float]) -> dict[str, float]:
    return from_json(dict[str, float], raw)
