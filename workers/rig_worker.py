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
from workers.contract.outcome import Completed, FacetResult, Failed, Outcome
from workers.contract.reports import RigReport
from workers.engines.announce import announced_to
from workers.engines.base import Assets, EngineError
from workers.engines.registry import make_engine
from workers.facets.natural_end import NaturalEnds
from workers.facets.planned import check_planned
from workers.facets.quality import assess
from workers.facets.serving import SERVED, serve
from workers.facets.setting import Setting, stopped
from workers.facets.telemetry import Level
from workers.facets.texts import SUMS, score
from workers.gguf_files.errors import BadModelFile
from workers.models.cache import cache_dir
from workers.models.errors import ModelError
from workers.models.resolve import resolve
from workers.trace import Trace

PID_FILE = "engine.pid"
DYING_S = 20.0  # a killed worker holds its claim until the kernel has ended its process
_TOLERANCE_S = 2.0  # between two readings of one start time, see `workers.engines.reap`


class RigWorker:
    """Runs one job at a time on one rig. The same class in a Ray actor and in a thread.

    A rig that is `shared` (another rig of the sweep has one of its cards) is claimed for each
    job; any other one from `claim` to `release`.
    """

    def __init__(self, rig: RigReport, shared: bool = False) -> None:
        self._rig = rig
        self._shared = shared
        self._claim = Claim(rig)
        self._level = Level(rig)
        self._ends = NaturalEnds()
        self._interrupted = threading.Event()
        self._engine: tuple[int, float] | None = None

    def claim(self, within_s: float = 0.0) -> str | None:
        """Takes the rig for this process; a sentence says who holds it otherwise."""
        problem = self._claim.take(within_s)
        if self._shared:
            self._claim.give_back()
        return problem

    def release(self) -> None:
        """Gives the rig back."""
        self._claim.give_back()

    def pulse(self) -> None:
        """Answers, which a process that was stopped does not."""

    def interrupt(self) -> None:
        """Stops the job in flight: its engine is killed, its outcome is Failed(interrupted)."""
        self._interrupted.set()
        engine = self._engine  # the job's own thread may forget it meanwhile
        if engine is not None:
            _kill(*engine)

    def run(self, job: Job) -> Outcome:
        """Measures a job's facets; every failure comes back as an outcome.

        Raises OSError for what no measurement is to blame for, but a full disk.
        """
        trace = Trace()
        results: list[FacetResult] = []

        def failed(diagnosis: Diagnosis, phase: Phase) -> Failed:
            # An engine that was killed because the sweep stops did not crash.
            why = stopped() if self._interrupted.is_set() else diagnosis
            return Failed(job.id, why, phase, tuple(results), trace.freeze())

        log_dir = log_dir_of(job)
        problem = self._claim.take(DYING_S) if self._shared else None
        if problem is not None:
            return failed(_occupied(problem), Phase.LOAD)
        try:
            log_dir.mkdir(parents=True, exist_ok=True)
            with announced_to(lambda pid, started: self._remember(pid, started, log_dir)):
                return self._measure(job, trace, results)
        except EngineError as error:
            trace.log = error.log_tail or trace.log
            if error.record is not None:
                trace.launched(error.record)
            return failed(error.diagnosis, error.phase)
        except OrchestrateError as error:
            return failed(_unusable(error), Phase.RESOLVE)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            return failed(_disk_full(error, job), Phase.MEASURE)
        finally:
            self._engine = None
            (log_dir / PID_FILE).unlink(missing_ok=True)
            if self._shared:
                self._claim.give_back()

    def _measure(self, job: Job, trace: Trace, results: list[FacetResult]) -> Outcome:
        candidate = job.resolved.candidate
        engine = make_engine(candidate.engine, job.engine)
        drafter = candidate.drafter if candidate.needs_drafter else None
        setting = Setting(
            job=job,
            engine=engine,
            report=engine.probe(),
            assets=Assets(resolve(candidate.model), resolve(drafter) if drafter else None),
            rig=self._rig,
            level=self._level,
            ends=self._ends,
            log_dir=log_dir_of(job),
            interrupted=self._interrupted.is_set,
        )
        check_planned(setting)
        for facet in job.facets:
            if facet in SUMS:
                results.append(score(facet, setting, trace))
            elif facet is Facet.QUALITY:
                results.append(assess(setting, trace))
        if any(facet in SERVED for facet in job.facets):
            served = serve(setting, trace)
            if served.same_as is not None:
                return Completed(job.id, tuple(results), trace.freeze(), served.same_as)
            results.extend(served.results)
            if served.failure is not None:
                raise served.failure
        return Completed(job.id, tuple(results), trace.freeze())

    def _remember(self, pid: int, started: float, log_dir: Path) -> None:
        """Leaves (pid, start time) where a later run finds it, should this process be killed."""
        self._engine = (pid, started)
        if self._interrupted.is_set():  # the interrupt came while this process was being started
            _kill(pid, started)
        (log_dir / PID_FILE).write_text(json.dumps(self._engine))


def log_dir_of(job: Job) -> Path:
    """Where the job's logs are kept; a relative folder is one of this host's cache."""
    path = Path(job.log_dir)
    return path if path.is_absolute() or not job.log_dir else cache_dir() / path


def _kill(pid: int, started: float) -> None:
    """Ends an engine, unless its id belongs to somebody else by now."""
    try:
        process = psutil.Process(pid)
        if abs(process.create_time() - started) < _TOLERANCE_S:
            process.kill()
    except psutil.NoSuchProcess:
        return  # it ended by itself, which is what was wanted


def _unusable(error: OrchestrateError) -> Diagnosis:
    """What was asked for cannot be had: a file, a suite, an engine of an unknown kind."""
    of_a_file = isinstance(error, (ModelError, BadModelFile))
    kind = FailureKind.BAD_MODEL_FILE if of_a_file else FailureKind.INVALID_CONFIG
    return Diagnosis(kind, error.message, error.hint, deterministic=True)


def _occupied(problem: str) -> Diagnosis:
    advice = "Run the same command again when the other sweep has ended."
    return Diagnosis(FailureKind.RIG_OCCUPIED, problem, advice, deterministic=False)


def _disk_full(error: OSError, job: Job) -> Diagnosis:
    return Diagnosis(
        FailureKind.DISK_FULL,
        f"no space left on the disk of {error.filename or job.log_dir}",
        "Free some space and run the same command again; what is measured is kept.",
        deterministic=False,
    )
