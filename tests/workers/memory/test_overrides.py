"""--override-tensor, --n-cpu-moe, splits and load modes: where bytes go, and what must fit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workers.assumed.models import stand_in
from workers.contract.model_header import ModelHeader
from workers.memory.model import predict
from workers.memory.prediction import Prediction
from workers.memory.request import MemoryRequest
from workers.memory.verdict import Fits, TooBig, fits

MIB = 2**20
EXPERTS = "ffn_.*_exps=CPU"


def moe() -> ModelHeader:
    """40 layers of 256 experts."""
    header = stand_in("Qwen3.6-35B-A3B-UD-Q4_K_XL.gguf")
    assert header is not None
    return header


def told(**asked: object) -> Prediction:
    return predict(moe(), replace(MemoryRequest(ctx=4096), **asked))  # type: ignore[arg-type]


def on_host(**asked: object) -> int:
    return told(**asked).host.weights or 0


def on_cards(**asked: object) -> list[int]:
    return [device.weights or 0 for device in told(**asked).devices]


def test_a_pattern_for_all_experts_is_what_n_cpu_moe_does_for_all_layers() -> None:
    assert on_host(override_tensor=EXPERTS) == on_host(n_cpu_moe=40)
    assert on_cards(override_tensor=EXPERTS) == on_cards(n_cpu_moe=40)


def test_a_pattern_for_some_layers_moves_those() -> None:
    some = r"blk\.(0|1|2)\.ffn_.*_exps=CPU"
    assert on_host(override_tensor=some) == on_host(n_cpu_moe=3)


def test_nothing_is_lost_or_made() -> None:
    for text in (EXPERTS, "attn=CPU", "output=CPU", "token_embd=CUDA0", "ffn_up=CUDA0,ffn=CPU"):
        moved = told(override_tensor=text)
        plain = told()
        held = [
            sum(d.weights or 0 for d in p.devices) + (p.host.weights or 0) for p in (moved, plain)
        ]
        assert held[0] == held[1], text


def test_the_embedding_can_be_taken_to_a_card() -> None:
    embedding = moe().weights.token_embd
    assert on_host(override_tensor="token_embd=CUDA0") == on_host() - embedding


def test_the_first_pattern_decides() -> None:
    assert on_host(override_tensor=f"ffn_down_exps=CUDA0,{EXPERTS}") < on_host(
        override_tensor=EXPERTS
    )


def test_n_cpu_moe_comes_before_patterns() -> None:
    """Its pattern is written first, so experts that it takes cannot be sent elsewhere."""
    assert on_cards(n_cpu_moe=40, override_tensor="exps=CUDA0") == on_cards(n_cpu_moe=40)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("exps", "'exps' is no pattern=buffer"),
        ("(=CPU", "'(' is no pattern"),
        ("exps=CUDA7", "there is no device 7 on this rig"),
        ("exps=Weird", "the buffer 'Weird' is not modelled"),
    ],
)
def test_what_is_not_understood_is_said_and_excludes_nothing(text: str, said: str) -> None:
    got = told(override_tensor=text)
    assert any(said in note for note in got.notes)
    assert "weights" in got.uncertain


def test_a_split_sends_layers_to_cards_by_their_shares() -> None:
    even, odd = on_cards(split=(1.0, 1.0)), on_cards(split=(3.0, 1.0))
    assert sum(even) == sum(odd)
    assert odd[0] > even[0] > 0.4 * sum(even)


def test_a_share_that_overfills_its_card_is_out_though_the_sum_would_fit() -> None:
    both = [24_564.0, 24_576.0]
    header = stand_in("Qwen3.6-27B-Q8_0.gguf")
    assert header is not None
    request = MemoryRequest(ctx=131_072, kv_k="q8_0", kv_v="q8_0", split=(24.0, 24.0))
    assert isinstance(fits(predict(header, request), both), Fits)
    verdict = fits(predict(header, replace(request, split=(40.0, 8.0))), both)
    assert isinstance(verdict, TooBig)
    assert (verdict.device, verdict.certain) == (0, True)


@pytest.mark.parametrize(
    ("mode", "certain"),
    [("", False), ("mmap", False), ("auto", False), ("none", True), ("mlock", True)],
)
def test_only_weights_that_stay_in_memory_can_certainly_be_too_many(
    mode: str, certain: bool
) -> None:
    """19,687 MiB of experts on a host of 16 GiB: mapped files page, others do not fit."""
    got = told(n_cpu_moe=40, load_mode=mode)
    verdict = fits(got, 8_188, host_capacity_mib=16_384)
    assert isinstance(verdict, TooBig)
    assert (verdict.device, verdict.certain) == (None, certain)
