"""Serving that fails: every fault has a diagnosis, and what was seen until then is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.script import Fault, Script
from tests.support.scripted_engine import ScriptedEngine
from tests.workers.facets.bench import CUDA, DFLASH, GPU, PLAIN, QUICK, Bench, bench
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.engines.base import EngineError
from workers.facets import one_launch, setting
from workers.facets.serving import serve
from workers.gpu.reader import Reading
from workers.gpu.scripted import ScriptedReader

WARM_UPS = QUICK.warmups
ONE_PASS = 3
UNTIMED = WARM_UPS + ONE_PASS  # each prompt is asked once for its natural end


def fail(here: Bench) -> EngineError:
    with pytest.raises(EngineError) as raised:
        serve(here.setting, here.trace)
    assert here.engine.running == 0, "an engine was left running"
    return raised.value


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Fault.WRONG_MODEL, FailureKind.GATE),
        (Fault.DRAFTER_IGNORED, FailureKind.SPEC_NOT_ENGAGED),
        (Fault.SPLIT_CONTEXT, FailureKind.GATE),
        (Fault.NAN_TIMINGS, FailureKind.GATE),
        (Fault.EMPTY_TEXT, FailureKind.QUALITY_BROKEN),
    ],
)
def test_a_gate_ends_a_launch_before_it_is_timed(
    fault: Fault, kind: FailureKind, tmp_path: Path
) -> None:
    here = bench(tmp_path, Script(faults=(fault,)), candidate=DFLASH)

    error = fail(here)

    assert (error.diagnosis.kind, error.phase) == (kind, Phase.GATE)
    assert here.trace.facets_s == 0
    assert error.diagnosis.detail in {v.gate for v in here.trace.gates if not v.passed}


def test_a_gate_after_the_passes_ends_the_job_at_its_first_launch(tmp_path: Path) -> None:
    here = bench(tmp_path, Script(faults=(Fault.WARM_CACHE,)))

    assert fail(here).diagnosis.detail == "prompt_cache_cold"
    assert len(here.engine.launches) == 1


def test_a_later_launch_at_fault_fails_the_job(tmp_path: Path) -> None:
    here = bench(tmp_path, Script(), Script(faults=(Fault.ONE_TOKEN,)))

    assert fail(here).diagnosis.kind is FailureKind.QUALITY_BROKEN
    assert len(here.trace.launches) == 2


def test_a_load_that_fails_is_the_engines_word(tmp_path: Path) -> None:
    said = EngineError(
        Diagnosis(FailureKind.OUT_OF_MEMORY, "cudaMalloc failed", "Use less.", True), Phase.LOAD
    )

    assert fail(bench(tmp_path, engine=ScriptedEngine(error=said))) is said


def test_a_second_load_that_fails_keeps_what_the_first_showed(tmp_path: Path) -> None:
    said = EngineError(Diagnosis(FailureKind.NETWORK_PORT, "taken", "Again.", False), Phase.LOAD)
    here = bench(tmp_path, engine=ScriptedEngine(error=said, fail_at=1))

    assert fail(here) is said
    assert len(here.trace.launches) == 1
    assert here.trace.facets_s > 0
    assert here.trace.telemetry["samples"] > 0


def test_an_engine_that_ends_between_two_answers_is_named_by_how_it_ended(
    tmp_path: Path,
) -> None:
    script = Script(faults=(Fault.BREAKS_OFF,), good=UNTIMED + ONE_PASS)
    here = bench(tmp_path, engine=ScriptedEngine(script, rc=-11))

    error = fail(here)

    assert (error.diagnosis.kind, error.phase) == (FailureKind.ENGINE_CRASH, Phase.MEASURE)
    assert error.diagnosis.detail == "segfault"


def test_an_engine_that_the_kernel_killed_ran_out_of_host_memory(tmp_path: Path) -> None:
    script = Script(faults=(Fault.BREAKS_OFF,))

    error = fail(bench(tmp_path, engine=ScriptedEngine(script, rc=-9)))

    assert (error.diagnosis.kind, error.diagnosis.detail) == (FailureKind.OUT_OF_MEMORY, "host")


def test_an_answer_broken_off_by_a_server_that_runs_on_is_not_called_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setting, "EXIT_S", 0.05)

    error = fail(bench(tmp_path, Script(faults=(Fault.BREAKS_OFF,), good=1)))

    assert (error.diagnosis.kind, error.phase) == (FailureKind.ENGINE_CRASH, Phase.WARMUP)
    assert "runs on" in error.diagnosis.evidence


def test_an_answer_without_timings_means_that_the_build_cannot_be_measured(
    tmp_path: Path,
) -> None:
    error = fail(bench(tmp_path, Script(faults=(Fault.NO_TIMINGS,))))

    assert error.diagnosis.kind is FailureKind.CAPABILITY_MISSING
    assert "no timings" in error.diagnosis.evidence
    assert error.diagnosis.deterministic


def test_a_refused_prompt_is_diagnosed_by_the_servers_words(tmp_path: Path) -> None:
    script = Script(faults=(Fault.REFUSES,), good=UNTIMED)

    error = fail(bench(tmp_path, script))

    assert (error.diagnosis.kind, error.phase) == (FailureKind.CONTEXT_OVERFLOW, Phase.MEASURE)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer may take a fifth of a second."""
    monkeypatch.setattr(one_launch, "request_deadline_s", lambda recipe: 0.2)
    monkeypatch.setattr("workers.facets.passes.request_deadline_s", lambda recipe: 0.2)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("good", "phase"), [(0, Phase.WARMUP), (UNTIMED, Phase.MEASURE)])
def test_an_answer_that_never_comes_is_a_hang(good: int, phase: Phase, tmp_path: Path) -> None:
    error = fail(bench(tmp_path, Script(faults=(Fault.STUCK,), good=good)))

    assert (error.diagnosis.kind, error.phase) == (FailureKind.TIMEOUT_HANG, phase)


@pytest.mark.usefixtures("impatient")
def test_a_hang_on_a_cpu_rig_is_not_blamed_on_the_gpu_it_does_not_have(tmp_path: Path) -> None:
    here = bench(tmp_path, Script(faults=(Fault.STUCK, Fault.NO_GPU)))

    assert fail(here).diagnosis.kind is FailureKind.TIMEOUT_HANG


def stop_after(checks: int) -> Iterator[bool]:
    yield from [False] * checks
    while True:
        yield True


@pytest.mark.parametrize(
    ("checks", "phase", "launches"),
    [
        (0, Phase.LOAD, 0),
        (1, Phase.LOAD, 1),
        (2, Phase.WARMUP, 1),
        (2 + ONE_PASS, Phase.MEASURE, 1),
    ],
)
def test_a_stop_is_heard_before_a_load_after_it_and_between_answers(
    checks: int, phase: Phase, launches: int, tmp_path: Path
) -> None:
    answers = stop_after(checks)
    here = bench(tmp_path, interrupted=lambda: next(answers))

    error = fail(here)

    assert (error.diagnosis.kind, error.phase) == (FailureKind.INTERRUPTED, phase)
    assert len(here.engine.launches) == launches


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that has fallen off the bus."""

    def lost(rig: object, pid: int) -> None:
        raise LookupError("NVML has no card GPU-0: GPU is lost")

    monkeypatch.setattr("workers.facets.telemetry.reader_for", lost)


@pytest.mark.usefixtures("gone")
def test_a_card_that_is_gone_is_the_machinerys_failure(tmp_path: Path) -> None:
    error = fail(bench(tmp_path, rig=GPU))

    assert error.diagnosis.kind.is_infrastructure
    assert "GPU is lost" in error.diagnosis.evidence


def test_telemetry_that_falls_silent_leaves_the_rate_and_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = ScriptedReader([Reading()])
    monkeypatch.setattr("workers.facets.telemetry.reader_for", lambda rig, pid: silent)

    here = bench(tmp_path, Script(devices=CUDA), rig=GPU)

    served = serve(here.setting, here.trace)

    assert served.results[0].estimates
    assert served.results[1].estimates == ()
    assert silent.closed


class Breaking(ScriptedReader):
    """A reader whose system fails after some readings."""

    def __init__(self, readings: list[Reading], good: int) -> None:
        super().__init__(readings)
        self._good = good

    def read(self) -> Reading:
        if self.taken >= self._good:
            raise OSError(24, "Too many open files")
        return super().read()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("good", [0, 2])
def test_a_reader_that_breaks_is_closed_and_leaves_no_engine_behind(
    good: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Breaking([Reading()], good)
    monkeypatch.setattr("workers.facets.telemetry.reader_for", lambda rig, pid: reader)
    here = bench(tmp_path)

    with pytest.raises(OSError, match="Too many open files"):
        serve(here.setting, here.trace)
    assert here.engine.running == 0
    assert reader.closed


def test_a_failure_says_which_memory_was_reached(tmp_path: Path) -> None:
    here = bench(tmp_path, Script(faults=(Fault.WARM_CACHE,)), candidate=PLAIN)

    fail(here)

    assert here.trace.telemetry["mem_peak_mib"] > 0
    assert "new slot" in here.trace.log
