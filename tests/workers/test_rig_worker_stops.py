"""The worker's engine can be found and stopped at any moment, and nothing is left running."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from search_spaces.metrics import Facet
from tests.support.script import Fault, Script
from tests.support.scripted_engine import ScriptedEngine
from tests.workers.engines import fakes
from tests.workers.facets.bench import CPU, GPU
from tests.workers.rig_jobs import OOM, Using, failed, job_of, served_by
from workers import rig_worker
from workers.contract.failure import FailureKind, Phase
from workers.contract.job import Job
from workers.contract.outcome import Failed, Outcome, Sample
from workers.engines.base import EngineError
from workers.engines.tool import run_tool
from workers.models.cache import CACHE_VARIABLE
from workers.rig_worker import PID_FILE, RigWorker


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


@pytest.fixture
def using(monkeypatch: pytest.MonkeyPatch) -> Using:
    return lambda engine: monkeypatch.setattr(rig_worker, "make_engine", lambda name, ref: engine)


def pid_file(job: Job) -> Path:
    return Path(job.log_dir) / PID_FILE


def wait_until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    gate = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if true():
            return
        gate.wait(0.02)
    pytest.fail("it never came true")


def interrupted(
    worker: RigWorker, job: Job, when: Callable[[], bool]
) -> tuple[Failed, tuple[int, float]]:
    """The outcome of a job that is stopped at a moment, and the engine that ran then."""
    outcomes: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(worker.run(job)))
    thread.start()
    try:
        wait_until(when)
        engine = json.loads(pid_file(job).read_text())
    finally:
        worker.interrupt()
        thread.join(20)
    assert not thread.is_alive(), "the job went on"
    return failed(outcomes[0]), (engine[0], engine[1])


def has_an_engine(job: Job) -> bool:
    return pid_file(job).exists() and pid_file(job).read_text().endswith("]")


@pytest.mark.chaos
@pytest.mark.parametrize(
    ("fault", "said"), [(Fault.LOADS_FOR_EVER, "initializing"), (Fault.STUCK, "listening")]
)
def test_a_stop_ends_a_load_and_an_answer_at_once(fault: Fault, said: str, tmp_path: Path) -> None:
    job = served_by(tmp_path, Script(faults=(fault,)))
    log = Path(job.log_dir) / "launch-0.log"

    outcome, (pid, _) = interrupted(
        RigWorker(CPU), job, lambda: has_an_engine(job) and said in log.read_text()
    )

    assert outcome.diagnosis.kind is FailureKind.INTERRUPTED
    assert outcome.phase in (Phase.LOAD, Phase.WARMUP)
    assert not psutil.pid_exists(pid)


@pytest.mark.chaos
def test_a_stop_ends_the_scoring_of_a_text(tmp_path: Path, using: Using) -> None:
    class Scores(ScriptedEngine):
        def _score(self) -> list[Sample]:
            run_tool(fakes.program(fakes.HANG), CPU, tmp_path / "log", 600, Phase.PERPLEXITY)
            return []

    using(Scores())
    job = job_of(tmp_path, facets=(Facet.PERPLEXITY,))

    outcome, (pid, _) = interrupted(RigWorker(CPU), job, lambda: has_an_engine(job))

    assert outcome.diagnosis.kind is FailureKind.INTERRUPTED
    assert not psutil.pid_exists(pid)


def test_a_stop_that_came_before_the_job_starts_no_engine(tmp_path: Path, using: Using) -> None:
    engine = ScriptedEngine()
    using(engine)
    worker = RigWorker(CPU)
    worker.interrupt()

    outcome = failed(worker.run(job_of(tmp_path)))

    assert outcome.diagnosis.kind is FailureKind.INTERRUPTED
    assert engine.launches == []


@pytest.mark.chaos
def test_the_pid_file_names_the_engine_that_runs_and_goes_with_it(tmp_path: Path) -> None:
    job = served_by(tmp_path, Script(faults=(Fault.STUCK,)))
    seen: list[str] = []

    def running() -> bool:
        if not has_an_engine(job):
            return False
        seen[:] = psutil.Process(json.loads(pid_file(job).read_text())[0]).cmdline()
        return "--port" in seen

    _, (_, started) = interrupted(RigWorker(CPU), job, running)

    assert job.resolved.candidate.model in seen
    assert started > psutil.boot_time()
    assert not pid_file(job).exists()


@pytest.mark.parametrize("error", [None, OOM])
def test_no_pid_file_stays(error: EngineError | None, tmp_path: Path, using: Using) -> None:
    using(ScriptedEngine(error=error))
    job = job_of(tmp_path)

    RigWorker(CPU).run(job)

    assert not pid_file(job).exists()


def test_a_process_that_took_over_an_engines_id_is_left_alone(tmp_path: Path) -> None:
    me = psutil.Process()

    rig_worker._kill(me.pid, me.create_time() - 3600)
    rig_worker._kill(2**22 + 1, 1.0)

    assert me.is_running()


def test_a_claimed_rig_is_refused_to_another_worker() -> None:
    first, second = RigWorker(CPU), RigWorker(CPU)
    assert first.claim() is None

    assert second.claim() is not None
    first.release()
    assert second.claim() is None
    second.release()


def test_rigs_do_not_wait_for_one_another() -> None:
    workers = [RigWorker(rig) for rig in (CPU, GPU)]

    assert [worker.claim() for worker in workers] == [None, None]
    for worker in workers:
        worker.release()
