"""The worker: whatever happens to a job, an outcome comes back."""

from __future__ import annotations

import errno
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
import pytest

from search_spaces.metrics import Facet
from search_spaces.recipe import Recipe
from search_spaces.space import EngineRef
from tests.support.script import Fault, Script
from tests.support.scripted_engine import ScriptedEngine
from tests.workers.facets.bench import CPU, CUDA, DFLASH, GPU, QUICK
from tests.workers.rig_jobs import OOM, SPEED, Using, failed, job_of, served_by
from tests.workers.statistics.samples import chunks
from workers import rig_worker
from workers.contract.failure import FailureKind, Phase
from workers.contract.outcome import Completed, Sample
from workers.engines.base import EngineError
from workers.facets import telemetry
from workers.gpu.reader import Reading
from workers.gpu.scripted import ScriptedReader
from workers.gpu.settle import Settled, settle
from workers.models.cache import CACHE_VARIABLE
from workers.rig_worker import RigWorker

SCORES = chunks([700.0] * 8)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


@pytest.fixture
def using(monkeypatch: pytest.MonkeyPatch) -> Using:
    return lambda engine: monkeypatch.setattr(rig_worker, "make_engine", lambda name, ref: engine)


# -- a job that succeeds ---------------------------------------------------------------------


def test_a_job_is_measured_on_an_engine_of_its_own(tmp_path: Path) -> None:
    outcome = RigWorker(CPU).run(served_by(tmp_path, Script(), DFLASH))

    assert isinstance(outcome, Completed)
    assert [r.facet for r in outcome.results] == list(SPEED)
    assert len(outcome.trace.launches) == 2
    assert not any(psutil.pid_exists(launch.pid) for launch in outcome.trace.launches)


def test_texts_and_speed_in_one_job_come_back_together(tmp_path: Path, using: Using) -> None:
    using(ScriptedEngine(scores=SCORES))

    outcome = RigWorker(CPU).run(job_of(tmp_path, facets=(Facet.PERPLEXITY, *SPEED)))

    assert isinstance(outcome, Completed)
    assert [r.facet for r in outcome.results] == [Facet.PERPLEXITY, *SPEED]


def test_a_known_launch_comes_back_as_that_one(tmp_path: Path, using: Using) -> None:
    using(ScriptedEngine())
    job = job_of(tmp_path)
    job = replace(job, known_effective=frozenset({job.resolved.key}))

    outcome = RigWorker(CPU).run(job)

    assert isinstance(outcome, Completed)
    assert (outcome.same_as, outcome.results) == (job.resolved.key, ())


def test_a_drafter_that_is_not_used_need_not_be_there(tmp_path: Path, using: Using) -> None:
    using(ScriptedEngine())
    job = job_of(tmp_path)
    plain = replace(job.resolved.candidate, drafter=str(tmp_path / "nowhere.gguf"))
    job = replace(job, resolved=replace(job.resolved, candidate=plain))

    assert isinstance(RigWorker(CPU).run(job), Completed)


def test_a_worker_knows_its_rigs_level_from_one_job_to_the_next(
    tmp_path: Path, using: Using, monkeypatch: pytest.MonkeyPatch
) -> None:
    using(ScriptedEngine(Script(devices=CUDA)))
    levels: list[float] = []
    reader = ScriptedReader([Reading(mem_used_mib=500.0), Reading(mem_used_mib=510.0)])

    def noting(reader: ScriptedReader, level_mib: float, rig: str) -> Settled:
        levels.append(level_mib)
        return settle(reader, level_mib, rig=rig)

    monkeypatch.setattr(telemetry, "reader_for", lambda rig, pid: reader)
    monkeypatch.setattr(telemetry, "settle", noting)
    worker, job = RigWorker(GPU), job_of(tmp_path)

    for _ in range(2):
        assert isinstance(worker.run(job), Completed)

    assert levels == [500.0] * 3  # the second launch of the first job, and both of the second


# -- errors of every kind become outcomes ----------------------------------------------------


def test_an_engine_that_fails_to_load_leaves_its_command_and_its_last_words(
    tmp_path: Path,
) -> None:
    job = served_by(tmp_path, Script(faults=(Fault.OUT_OF_MEMORY,)))

    outcome = failed(RigWorker(CPU).run(job))

    assert (outcome.diagnosis.kind, outcome.phase) == (FailureKind.OUT_OF_MEMORY, Phase.LOAD)
    assert "exiting due to model loading error" in outcome.trace.log_tail
    (launch,) = outcome.trace.launches
    assert launch.argv[1:3] == ("-m", job.resolved.candidate.model)


def test_an_engine_that_crashes_while_it_is_timed_is_diagnosed_by_its_signal(
    tmp_path: Path,
) -> None:
    good = QUICK.warmups + 2 * (QUICK.prompts or 0)
    job = served_by(tmp_path, Script(faults=(Fault.CRASHES,), good=good))

    outcome = failed(RigWorker(CPU).run(job))

    assert (outcome.diagnosis.kind, outcome.phase) == (FailureKind.ENGINE_CRASH, Phase.MEASURE)
    assert outcome.diagnosis.detail == "abort"
    assert outcome.results == ()


def test_the_last_words_are_those_of_the_launch_that_failed(tmp_path: Path, using: Using) -> None:
    error = EngineError(OOM.diagnosis, Phase.LOAD, log_tail="the second launch's")
    using(ScriptedEngine(error=error, fail_at=1))

    outcome = failed(RigWorker(CPU).run(job_of(tmp_path)))

    assert outcome.trace.log_tail == "the second launch's"


def test_what_was_measured_before_a_failure_is_kept(tmp_path: Path, using: Using) -> None:
    class Serves(ScriptedEngine):
        def _score(self) -> list[Sample]:
            return SCORES

    using(Serves(error=OOM))

    outcome = failed(RigWorker(CPU).run(job_of(tmp_path, facets=(Facet.PERPLEXITY, *SPEED))))

    assert outcome.diagnosis is OOM.diagnosis
    assert [r.facet for r in outcome.results] == [Facet.PERPLEXITY]


def test_a_model_that_is_gone_is_an_outcome(tmp_path: Path, using: Using) -> None:
    using(ScriptedEngine())
    job = job_of(tmp_path)
    Path(job.resolved.candidate.model).unlink()

    outcome = failed(RigWorker(CPU).run(job))

    assert (outcome.diagnosis.kind, outcome.phase) == (FailureKind.BAD_MODEL_FILE, Phase.RESOLVE)
    assert "target.gguf" in outcome.diagnosis.evidence


def test_a_suite_that_is_gone_is_no_fault_of_a_model(tmp_path: Path, using: Using) -> None:
    using(ScriptedEngine())
    recipe = Recipe(throughput=QUICK.model_copy(update={"suite": "nowhere.jsonl"}))

    outcome = failed(RigWorker(CPU).run(job_of(tmp_path, recipe=recipe)))

    assert outcome.diagnosis.kind is FailureKind.INVALID_CONFIG
    assert "nowhere.jsonl" in outcome.diagnosis.evidence


def test_an_engine_of_a_kind_that_cannot_run_here_is_an_outcome(tmp_path: Path) -> None:
    ref = EngineRef(kind="replay", path=str(tmp_path))

    outcome = failed(RigWorker(CPU).run(job_of(tmp_path, engine=ref)))

    assert outcome.diagnosis.kind is FailureKind.INVALID_CONFIG
    assert "replay" in outcome.diagnosis.evidence


@dataclass
class Full:
    """A call that finds the disk full, or meets another error of the system."""

    number: int

    def __call__(self) -> None:
        raise OSError(self.number, "the system says no", "/disk/logs")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_an_outcome_that_nobody_learns_from(
    number: int, tmp_path: Path, using: Using
) -> None:
    using(ScriptedEngine(launched=Full(number)))

    outcome = failed(RigWorker(CPU).run(job_of(tmp_path)))

    assert outcome.diagnosis.kind is FailureKind.DISK_FULL
    assert outcome.diagnosis.kind.is_infrastructure
    assert "/disk/logs" in outcome.diagnosis.evidence


def test_another_error_of_the_system_is_not_disguised(tmp_path: Path, using: Using) -> None:
    using(ScriptedEngine(launched=Full(errno.EMFILE)))

    with pytest.raises(OSError, match="the system says no"):
        RigWorker(CPU).run(job_of(tmp_path))


def test_an_engine_that_was_rebuilt_since_the_plan_is_not_measured(
    tmp_path: Path, using: Using
) -> None:
    using(ScriptedEngine())

    outcome = failed(RigWorker(CPU).run(job_of(tmp_path, server="00" * 32)))

    assert "was replaced" in outcome.diagnosis.evidence
    assert outcome.trace.launches == ()
