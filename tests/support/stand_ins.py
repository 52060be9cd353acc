"""A worker that measures nothing and does what its job's tags say: for tests of pools."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

from workers.contract.job import Job
from workers.contract.outcome import Completed, JobTrace, Outcome
from workers.contract.reports import RigReport


class StandIn:
    """Takes the place of `RigWorker` where a pool makes its workers.

    `do` says what: end at once (the default), raise, die or stop with its process, or wait until
    it is interrupted. A rig named `taken` cannot be claimed. Every event leaves a line in the
    file that the tag `diary` names, which works from another process too.
    """

    def __init__(self, rig: RigReport, shared: bool = False) -> None:
        self._rig = rig
        self._interrupted = threading.Event()
        self._jobs = 0

    def claim(self, within_s: float = 0.0) -> str | None:
        """Every rig is free but one."""
        if self._rig.name == "taken":
            return "Rig taken is in use by another sweep (process 1)."
        return None

    def release(self) -> None:
        """Nothing is held."""

    def pulse(self) -> None:
        """Answers while its process runs."""

    def interrupt(self) -> None:
        """Ends a job that waits."""
        self._interrupted.set()

    def run(self, job: Job) -> Outcome:
        """Does what the job says; its trace tells the worker's process and how often it ran."""
        self._jobs += 1
        if "diary" in job.tags:
            with Path(job.tags["diary"]).open("a") as diary:
                diary.write(f"{self._rig.name} {job.id}\n")
        match job.tags.get("do"):
            case "raise":
                raise ValueError("the worker broke")
            case "die":
                os._exit(9)
            case "stop":
                os.kill(os.getpid(), signal.SIGSTOP)
                self._interrupted.wait(30)  # another thread may be the first to be stopped
            case "wait":
                self._interrupted.wait(30)
            case "meet":
                meet(Path(job.tags["place"]), int(job.tags["number"]))
        told = {"pid": float(os.getpid()), "jobs": float(self._jobs)}
        return Completed(job.id, (), JobTrace(telemetry=told))


def meet(place: Path, number: int) -> None:
    """Returns once so many workers are in this function at the same time; else after 30 s."""
    (place / f"{os.getpid()}-{threading.get_ident()}").touch()
    never = threading.Event()
    for _ in range(3_000):
        if len(list(place.iterdir())) >= number:
            return
        never.wait(0.01)
    raise TimeoutError(f"fewer than {number} workers ran at once")
