"""The worker of one rig: launches, measures, reports. It never decides what to measure."""

from __future__ import annotations

import errno
import json
import threading
from pathlib import Path

import psutil

from search_spaces.metrics import Facet
from workers.claim import Claim
from workers.contract.errors import OrchestrateError
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.job import Job
from workers.contract.outcome import Completed, Failed, FacetResult, Outcome
from workers.contract.reports import RigReport
from workers.engines.base import Assets, EngineError, RunningEngine
from workers.engines.registry import make_engine
from workers.facets.serving import serve
from workers.facets.setting import Setting
from workers.facets.texts import score
from workers.models.resolve import resolve
from workers.trace import Trace

PID_FILE = "engine.pid"


class RigWorker:
    """Runs one job at a time on one rig. The same class in a Ray actor and in a thread."""

    def __init__(self, rig: RigReport) -> None:
        self._rig = rig
        self._claim = Claim(rig)
        self._interrupted = threading.Event()
        self._engine: tuple[int, float] | None = None

    def claim(self) -> str | None:
        """Takes the rig for this process; a sentence says who holds it otherwise."""
        return self._claim.take()

    def release(self) -> None:
        """Gives the rig back."""
        self._claim.give_back()

    def interrupt(self) -> None:
        """Stops the job in flight: its engine is killed, its outcome is Failed(interrupted)."""
        self._interrupted.set()
        if self._engine is not None:
            pid, started = self._engine
            try:
                process = psutil.Process(pid)
                if abs(process.create_time() - started) < 2.0:
                    process.kill()
            except psutil.NoSuchProcess:
                pass  # it ended by itself, which is what was wanted

    def run(self, job: Job) -> Outcome:
        """Measures a job's facets; every failure comes back as an outcome."""
        trace = Trace()
        results: list[FacetResult] = []
        try:
            return self._measure(job, trace, results)
        except EngineError as error:
            trace.log = trace.log or error.log_tail
            diagnosis = self._why(error.diagnosis)
            return Failed(job.id, diagnosis, error.phase, tuple(results), trace.freeze())
        except OrchestrateError as error:
            diagnosis = Diagnosis(
                FailureKind.BAD_MODEL_FILE, error.message, error.hint, deterministic=True
            )
            return Failed(job.id, diagnosis, Phase.RESOLVE, tuple(results), trace.freeze())
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            diagnosis = Diagnosis(
                FailureKind.DISK_FULL,
                f"no space left on the disk of {error.filename or job.log_dir}",
                "Free some space and run the same command again; what is measured is kept.",
                deterministic=False,
            )
            return Failed(job.id, diagnosis, Phase.MEASURE, tuple(results), trace.freeze())

    def _measure(self, job: Job, trace: Trace, results: list[FacetResult]) -> Outcome:
        candidate = job.resolved.candidate
        engine = make_engine(candidate.engine, job.engine)
        report = engine.probe()
        log_dir = Path(job.log_dir)
        log_dir.mkdir(parents=True, exist_ok=True)
        setting = Setting(
            job=job,
            engine=engine,
            capabilities=report.capabilities,
            assets=Assets(
                resolve(candidate.model), resolve(candidate.drafter) if candidate.drafter else None
            ),
            rig=self._rig,
            log_dir=log_dir,
            interrupted=self._interrupted.is_set,
            launched=lambda running: self._remember(running, log_dir),
        )
        for facet in job.facets:
            if facet in (Facet.PERPLEXITY, Facet.DIVERGENCE):
                results.append(score(facet, setting, trace))
        if any(facet.belongs_to_rig for facet in job.facets):
            try:
                served = serve(setting, trace)
            finally:
                self._forget(log_dir)
            if served.same_as is not None:
                return Completed(job.id, tuple(results), trace.freeze(), served.same_as)
            results.extend(served.results)
        return Completed(job.id, tuple(results), trace.freeze())

    def _remember(self, running: RunningEngine, log_dir: Path) -> None:
        """Leaves (pid, start time) where a later run finds it, should this process be killed."""
        self._engine = (running.record.pid, running.record.pid_started)
        (log_dir / PID_FILE).write_text(json.dumps(self._engine))

    def _forget(self, log_dir: Path) -> None:
        self._engine = None
        (log_dir / PID_FILE).unlink(missing_ok=True)

    def _why(self, diagnosis: Diagnosis) -> Diagnosis:
        """An engine that was killed because the sweep stops did not crash."""
        if not self._interrupted.is_set():
            return diagnosis
        return Diagnosis(
            FailureKind.INTERRUPTED, "the sweep was stopped", "Run it again to go on.", False
        )
