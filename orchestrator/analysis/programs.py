"""The generated programs behind the quality scores of a sweep, as files."""

from __future__ import annotations

from pathlib import Path

from db.database import Database
from workers.quality.kept import Kept, kept_programs


def programs_of(database: Database, sweep_id: int) -> dict[int, tuple[Kept, ...]]:
    """By trial, those of the job that measured its score; empty where its files are gone.

    Trials that differ in what quality does not depend on share a job, and so their programs.
    """
    found: dict[int, tuple[Kept, ...]] = {}
    for result in database.results(sweep_id):
        score = result.estimates.get("quality_score")
        job = database.jobs.get(score.job_id) if score is not None else None
        if job is not None and job.log_path:
            found[result.trial.id] = kept_programs(Path(job.log_path).parent)
    return found
