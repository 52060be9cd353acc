"""Reading failures with the rig they happened on."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, Select, select

from db.rows import FailureRow
from db.tables.hosts import RigTable
from db.tables.jobs import FailureTable, JobTable
from workers.contract.failure import Diagnosis


def failures() -> Select[*tuple[Any, ...]]:
    """Every failure with its job's rig, oldest first; narrow it down before use."""
    return (
        select(
            FailureTable.job_id,
            FailureTable.kind,
            FailureTable.evidence,
            FailureTable.advice,
            FailureTable.deterministic,
            FailureTable.detail,
            FailureTable.phase,
            RigTable.name,
            RigTable.hardware_key,
            JobTable.log_tail,
        )
        .select_from(FailureTable)
        .join(JobTable, JobTable.id == FailureTable.job_id)
        .join(RigTable, RigTable.id == JobTable.rig_id)
        .order_by(FailureTable.id)
    )


def failure_row(row: Row[*tuple[Any, ...]]) -> FailureRow:
    """One row of `failures()`."""
    return FailureRow(
        job_id=row.job_id,
        diagnosis=Diagnosis(row.kind, row.evidence, row.advice, row.deterministic, row.detail),
        phase=row.phase,
        rig=row.name,
        hardware_key=row.hardware_key,
        log_tail=row.log_tail,
    )
