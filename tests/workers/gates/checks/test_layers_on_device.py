"""layers_on_device: the GPU that was leased does the work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_spaces.candidate import Candidate
from tests.workers.gates import logs
from tests.workers.gates.scenes import CPU, DFLASH, GPU, PLAIN, is_fatal, is_flag, scene, verdict_of
from workers.gates.checks.layers_on_device import GATE

ALL = "load_tensors: offloaded 31/31 layers to GPU\n"
SOME = "llm_load_tensors: offloaded 24/31 layers to GPU\n"
DRAFT_ON_CPU = logs.LOADS_DRAFTER + "load_tensors: offloaded 0/4 layers to GPU\n"


@pytest.mark.parametrize("ngl", ["all", "auto", "31", "99"])
def test_all_layers_on_the_card_pass(ngl: str) -> None:
    assert verdict_of(GATE, scene(replace(PLAIN, ngl=ngl), GPU, log=ALL)).verdict.passed


@pytest.mark.parametrize("ngl", ["all", "99", "25"])
def test_fewer_layers_than_asked_are_fatal(ngl: str) -> None:
    assert is_fatal(verdict_of(GATE, scene(replace(PLAIN, ngl=ngl), GPU, log=SOME)))


def test_as_many_layers_as_asked_pass() -> None:
    assert verdict_of(GATE, scene(replace(PLAIN, ngl="24"), GPU, log=SOME)).verdict.passed


@pytest.mark.parametrize(
    "line",
    [
        "warning: no usable GPU found, --gpu-layers option will be ignored\n",
        "warning: llama.cpp was compiled without support for GPU offload. Setting .. no effect\n",
        "ggml_cuda_init: failed to initialize CUDA: CUDA driver version is insufficient\n",
    ],
)
def test_an_engine_without_a_gpu_is_fatal_and_says_so_in_its_own_words(line: str) -> None:
    finding = verdict_of(GATE, scene(PLAIN, GPU, log=line + ALL))

    assert is_fatal(finding)
    assert finding.verdict.detail == line.strip()


def test_a_drafter_on_the_cpu_is_fatal() -> None:
    assert is_fatal(verdict_of(GATE, scene(DFLASH, GPU, log=ALL + DRAFT_ON_CPU)))


def test_a_drafter_that_was_put_there_is_not() -> None:
    placed = replace(DFLASH, draft_device="none")

    assert verdict_of(GATE, scene(placed, GPU, log=ALL + DRAFT_ON_CPU)).verdict.passed


def test_a_log_without_a_word_flags() -> None:
    assert is_flag(verdict_of(GATE, scene(PLAIN, GPU)))


@pytest.mark.parametrize("candidate", [PLAIN, DFLASH])
def test_it_does_not_apply_to_a_cpu_rig(candidate: Candidate) -> None:
    assert GATE.check(scene(candidate, CPU, log=SOME)) is None
