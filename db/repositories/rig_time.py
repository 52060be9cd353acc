"""How long rigs were busy with a sweep by the time each of its trials ended."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.tables.jobs import JobTable
from db.tables.sweeps import TrialTable


def read_rig_seconds(session: Session, sweep_id: int) -> dict[int, float]:
    """Seconds of jobs that had ended, by the id of the trial that ended then.

    Summed over all rigs, engine starts included. A trial whose numbers were all known took none.
    """
    query = (
        select(JobTable.ended, JobTable.wall_s)
        .where(JobTable.sweep_id == sweep_id, JobTable.ended.is_not(None))
        .order_by(JobTable.ended)
    )
    jobs = [(ended, wall_s or 0.0) for ended, wall_s in session.execute(query) if ended]
    trials = session.execute(
        select(TrialTable.id, TrialTable.ended)
        .where(TrialTable.sweep_id == sweep_id, TrialTable.ended.is_not(None))
        .order_by(TrialTable.ended, TrialTable.id)
    )
    found: dict[int, float] = {}
    busy, done = 0.0, 0
    for trial_id, ended in trials:
        while ended is not None and done < len(jobs) and jobs[done][0] <= ended:
            busy += jobs[done][1]
            done += 1
        found[trial_id] = busy
    return found
