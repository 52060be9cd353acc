"""Everything that is stored about one trial, read when its page is opened."""

from __future__ import annotations

from dataclasses import dataclass

from db.database import Database
from db.rows import JobRow, Measurement, TrialRow
from workers.contract.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Attempt:
    """A job that measured something of the trial, or failed at it; no outcome while it runs."""

    job: JobRow
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Details:
    """`measurements` is by metric; attempts that failed come first, then those of the rig."""

    trial: TrialRow
    measurements: dict[str, Measurement]
    attempts: tuple[Attempt, ...]


def read_details(database: Database, trial_id: int) -> Details:
    """Raises DatabaseError for a trial that is not there."""
    trial = database.trials.get(trial_id)
    found = database.memo.estimates_for(trial.memo.values())
    rows = [row for key in trial.memo.values() for row in found.get(key, ())]
    rows.sort(key=lambda row: not row.facet.belongs_to_rig)
    ids = dict.fromkeys([trial.failed_by, *(row.job_id for row in rows)])
    jobs = [database.jobs.get(job_id) for job_id in ids if job_id]
    attempts = tuple(Attempt(job, database.jobs.outcome(job.id)) for job in jobs if job)
    return Details(trial, {row.estimate.metric: row for row in rows}, attempts)
