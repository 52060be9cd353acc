"""Each planted fault of a real (scripted) server is caught by the gate that is there for it, and
the same server without the fault passes every gate."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_spaces.candidate import Candidate
from tests.support.script import Fault, Script
from tests.support.scripted_server import serving
from tests.workers.gates.scenes import CPU, DFLASH, GPU, MODEL, PLAIN, arguments_of, ask, observe
from workers.contract.failure import FailureKind
from workers.contract.reports import RigReport
from workers.gates.run import run_gates

CUDA = ("CUDA0: a card (32000 MiB, 31000 MiB free)",)
NGRAM = replace(PLAIN, spec="ngram-mod")


@pytest.mark.parametrize("when", ["launch", "measured"])
@pytest.mark.parametrize(
    ("candidate", "rig", "devices"),
    [
        (PLAIN, CPU, ()),
        (DFLASH, CPU, ()),
        (PLAIN, GPU, CUDA),
        (DFLASH, GPU, CUDA),
        (NGRAM, CPU, ()),
    ],
)
def test_a_server_without_faults_passes_every_gate(
    candidate: Candidate, rig: RigReport, devices: tuple[str, ...], when: str
) -> None:
    report = run_gates(observe(Script(devices=devices), candidate, rig), when)

    assert report.fatal is None
    assert report.flags == ()
    assert report.effective == {}
    assert len(report.verdicts) >= 5


@pytest.mark.parametrize(
    ("fault", "candidate", "rig", "gate", "kind", "when"),
    [
        (Fault.WRONG_MODEL, PLAIN, CPU, "right_model", FailureKind.GATE, "launch"),
        (
            Fault.DRAFTER_IGNORED,
            DFLASH,
            CPU,
            "speculation_engaged",
            FailureKind.SPEC_NOT_ENGAGED,
            "launch",
        ),
        (Fault.STRAY_DRAFTS, PLAIN, CPU, "no_stray_drafts", FailureKind.GATE, "launch"),
        (Fault.SPLIT_CONTEXT, PLAIN, CPU, "context_per_slot", FailureKind.GATE, "launch"),
        (
            Fault.CPU_ATTENTION,
            PLAIN,
            GPU,
            "flash_attention_on_device",
            FailureKind.SILENT_CPU_FALLBACK,
            "launch",
        ),
        (
            Fault.NO_GPU,
            PLAIN,
            GPU,
            "layers_on_device",
            FailureKind.SILENT_CPU_FALLBACK,
            "launch",
        ),
        (Fault.DOWNGRADED, PLAIN, CPU, "no_downgrade", FailureKind.GATE, "launch"),
        (Fault.NAN_TIMINGS, PLAIN, CPU, "timings_sane", FailureKind.GATE, "launch"),
        (Fault.EMPTY_TEXT, PLAIN, CPU, "text_sane", FailureKind.QUALITY_BROKEN, "launch"),
        (Fault.ONE_TOKEN, PLAIN, CPU, "text_sane", FailureKind.QUALITY_BROKEN, "measured"),
        (Fault.WARM_CACHE, PLAIN, CPU, "prompt_cache_cold", FailureKind.GATE, "measured"),
    ],
)
def test_a_fatal_fault_is_caught_by_its_gate(
    fault: Fault, candidate: Candidate, rig: RigReport, gate: str, kind: FailureKind, when: str
) -> None:
    devices = CUDA if rig is GPU else ()

    report = run_gates(observe(Script(faults=(fault,), devices=devices), candidate, rig), when)

    assert report.fatal is not None
    assert (report.fatal.detail, report.fatal.kind) == (gate, kind)
    assert report.fatal.evidence
    assert report.fatal.advice


@pytest.mark.parametrize(
    ("fault", "candidate", "gate", "when"),
    [
        (Fault.REDIRECTED_KV, replace(PLAIN, kv_k="q8_0"), "kv_types_allocated", "launch"),
        (Fault.REMEMBERS, replace(NGRAM, n_max=4), "answers_not_remembered", "measured"),
        (Fault.LOOPS, PLAIN, "text_repetition", "measured"),
    ],
)
def test_a_fault_that_only_marks_the_numbers_is_a_flag(
    fault: Fault, candidate: Candidate, gate: str, when: str
) -> None:
    report = run_gates(observe(Script(faults=(fault,)), candidate), when)

    assert report.fatal is None
    assert report.flags == (gate,)


def test_a_clamped_draft_length_is_stored_as_what_it_is_and_not_flagged() -> None:
    report = run_gates(observe(Script(block_size=8), replace(DFLASH, n_max=12)), "launch")

    assert (report.fatal, report.flags) == (None, ())
    assert report.effective == {"n_max": 7}


def test_a_redirected_kv_type_is_stored_under_its_true_name() -> None:
    asked = replace(PLAIN, kv_k="q8_0", kv_v="q5_1")

    report = run_gates(observe(Script(faults=(Fault.REDIRECTED_KV,)), asked), "launch")

    assert report.effective == {"kv_k": "f16", "kv_v": "f16"}


def test_a_second_server_on_the_port_is_told_from_ours() -> None:
    theirs = replace(PLAIN, model="/models/theirs.gguf")
    with serving(Script(), arguments_of(theirs, Script())) as other:
        seen = replace(ask(other, PLAIN), pid_owns_port=False)

    report = run_gates(seen, "launch")

    assert report.fatal is not None
    assert report.fatal.kind is FailureKind.NETWORK_PORT
    assert not report.fatal.deterministic


def test_where_the_system_does_not_tell_the_model_gives_a_second_server_away() -> None:
    theirs = replace(PLAIN, model="/models/theirs.gguf")
    with serving(Script(), arguments_of(theirs, Script())) as other:
        seen = replace(ask(other, PLAIN), pid_owns_port=None)

    report = run_gates(seen, "launch")

    assert report.fatal is not None
    assert "theirs.gguf" in report.fatal.evidence
    assert str(MODEL) not in report.fatal.evidence
