"""A worker of a real Ray actor that measures nothing: numbers of a surface, see `scripted_pool`."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from tests.support.scripted_pool import measure
from tests.support.surfaces import plain
from workers.contract.job import Job
from workers.contract.outcome import Outcome
from workers.contract.reports import RigReport

HELD = "ORCHESTRATE_TEST_HELD"  # names a file: while it is there, jobs of the rig it names wait
MOST_S = 120.0


class ScriptedWorker:
    """Takes the place of `RigWorker`. A job that is held ends with its process, or not at all."""

    def __init__(self, rig: RigReport, shared: bool = False) -> None:
        self._rig = rig
        self.held = Path(os.environ.get(HELD, "/nowhere"))

    def claim(self, within_s: float = 0.0) -> str | None:
        """Every rig is free."""
        return None

    def pulse(self) -> None:
        """Answers while its process runs."""

    def run(self, job: Job) -> Outcome:
        """Measures at once, or waits to be killed."""
        if self.held.exists() and self.held.read_text() == self._rig.name:
            threading.Event().wait(MOST_S)
        return measure(self._rig, job, plain)
