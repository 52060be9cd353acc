"""What earlier searches, of any sweep or of none, tried."""

from __future__ import annotations

from db.database import Database
from db.states import JobState
from workers.contract.outcome import Outcome


def attempts_of(database: Database, key: str) -> list[tuple[int, Outcome]]:
    """Tokens of context and outcome of every attempt under a key that ended, oldest first."""
    made = []
    for job in database.jobs.asked_for(key):
        outcome = None if job.state is JobState.RUNNING else database.jobs.outcome(job.id)
        if outcome is not None:
            made.append((job.resolved.candidate.ctx, outcome))
    return made
