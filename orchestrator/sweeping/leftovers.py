"""What a stopped or killed sweep leaves behind: jobs without an outcome, engines that still run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from db.database import Database
from db.rows import Driver
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import Failed
from workers.engines.reap import reap
from workers.rig_worker import PID_FILE


def interrupted(job_id: str) -> Failed:
    """The outcome of a job that a stopped or killed sweep left behind."""
    why = Diagnosis(
        FailureKind.INTERRUPTED,
        "the sweep was stopped while this job ran",
        "It is measured again when the same command is run.",
        deterministic=False,
    )
    return Failed(job_id, why, Phase.MEASURE)


def reap_engines(
    database: Database, log_root: Path, me: Driver, is_alive: Callable[[Driver], bool]
) -> list[int]:
    """Kills engines that an earlier, killed run left behind, found by (pid, start time).

    Only those of jobs in this database whose driver is gone: sweeps share a folder of logs, and
    the engine of one that is running elsewhere is not ours to kill.
    """
    drivers = {sweep.id: sweep.driver for sweep in database.sweeps.list()}
    verifying = {
        run.job_id: row.driver for row in database.verifications.running() for run in row.runs
    }
    left: list[tuple[int, float]] = []
    for job in database.jobs.running():
        driver = drivers.get(job.sweep_id) if job.sweep_id is not None else verifying.get(job.id)
        if driver is not None and driver != me and is_alive(driver):
            continue
        left.extend(_engine(log_root / job.id / PID_FILE))
    return reap(left)


def _engine(file: Path) -> list[tuple[int, float]]:
    """What a PID file says; nothing when it is gone, or half written as its writer died."""
    try:
        pid, started = json.loads(file.read_text())
        found = [(int(pid), float(started))]
    except (OSError, ValueError, TypeError):
        return []
    file.unlink(missing_ok=True)
    return found
