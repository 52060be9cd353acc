"""Whether anything has changed since somebody last looked, at the price of a few counts."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.tables.jobs import JobTable
from db.tables.sweeps import SweepTable, TrialTable


def read_mark(session: Session) -> str:
    """A text that differs whenever a sweep, a trial or a job has begun or ended in between.

    What merely became known of a running job or a waiting trial does not change it.
    """
    parts: list[object] = []
    for table in (SweepTable, TrialTable, JobTable):
        states = select(table.state, func.count()).group_by(table.state).order_by(table.state)
        parts += [f"{state}:{count}" for state, count in session.execute(states)]
        parts.append(session.scalar(select(func.max(table.ended))))
    parts.append(session.scalar(select(func.sum(SweepTable.runs))))
    return " ".join(map(str, parts))
