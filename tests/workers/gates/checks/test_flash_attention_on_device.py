"""flash_attention_on_device: attention stays on the card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.workers.gates import logs
from tests.workers.gates.scenes import CPU, GPU, PLAIN, is_fatal, is_flag, scene, verdict_of
from workers.gates.checks.flash_attention_on_device import GATE

MIXED = replace(PLAIN, kv_k="q8_0", kv_v="q5_1")


@pytest.mark.parametrize(
    "line",
    [
        # 2024 to spring 2026, and forks of that time
        "llama_context: layer 0 is assigned to device CUDA0 but the Flash Attention tensor is "
        "assigned to device CPU (usually due to missing support)\n",
        # since
        "resolve_fused_ops: layer 0 is assigned to device CUDA0 but Flash Attention is "
        "assigned to device CPU (usually due to missing support)\n",
        "llama_context: Flash Attention was auto, set to disabled\n",
        "resolve_fused_ops: Flash Attention not supported, set to disabled\n",
    ],
)
def test_a_warning_that_attention_is_elsewhere_is_fatal_evidence(line: str) -> None:
    finding = verdict_of(GATE, scene(MIXED, GPU, log=line))

    assert is_fatal(finding)
    assert finding.verdict.detail == line.strip()


def test_another_fused_operation_elsewhere_is_not_about_attention() -> None:
    line = (
        "resolve_fused_ops: layer 0 is assigned to device CUDA0 but the fused Gated Delta Net "
        "tensor is assigned to device CPU (usually due to missing support)\n"
    )

    assert verdict_of(GATE, scene(MIXED, GPU, log=line)).verdict.passed


def test_a_conversion_to_f16_is_a_flag_since_it_stays_on_the_card() -> None:
    line = (
        "ggml_cuda_flash_attn_ext: no FlashAttention vector kernel compiled for K/V types "
        "q8_0-q5_1, converting K and V to f16 instead (slow).\n"
    )

    assert is_flag(verdict_of(GATE, scene(MIXED, GPU, log=line)))


@pytest.mark.parametrize(
    "log", [logs.SPLITS_2025.format(66, 3), logs.SPLITS_2024.format(34), logs.SPLITS_NOW.format(62)]
)
def test_a_graph_in_many_pieces_gives_the_silent_fallback_away(log: str) -> None:
    assert is_fatal(verdict_of(GATE, scene(MIXED, GPU, log=log)))


def test_with_an_exact_cache_it_is_another_operation_and_a_flag() -> None:
    assert is_flag(verdict_of(GATE, scene(PLAIN, GPU, log=logs.SPLITS_2024.format(66))))


@pytest.mark.parametrize("splits", [1, 2, 3])
def test_a_graph_in_few_pieces_passes(splits: int) -> None:
    assert verdict_of(GATE, scene(MIXED, GPU, log=logs.SPLITS_2024.format(splits))).verdict.passed


@pytest.mark.parametrize(
    "change",
    [{"ngl": "20"}, {"n_cpu_moe": 30}, {"override_tensor": "exps=CPU"}, {"split_mode": "tensor"}],
)
def test_pieces_that_were_asked_for_say_nothing(change: dict[str, str | int]) -> None:
    asked = replace(MIXED, **change)  # type: ignore[arg-type]

    assert verdict_of(GATE, scene(asked, GPU, log=logs.SPLITS_2024.format(66))).verdict.passed


def test_the_pieces_of_the_drafters_graph_are_not_the_targets() -> None:
    log = logs.SPLITS_NOW.format(2) + logs.LOADS_DRAFTER + logs.SPLITS_NOW.format(40)

    assert verdict_of(GATE, scene(MIXED, GPU, log=log)).verdict.passed


def test_it_does_not_apply_to_a_cpu_rig() -> None:
    assert GATE.check(scene(MIXED, CPU, log=logs.SPLITS_2024.format(66))) is None
