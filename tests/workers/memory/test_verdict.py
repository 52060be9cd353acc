"""A certain no, a doubtful no, and a yes."""

from __future__ import annotations

import pytest

from tests.support.model_headers import make_header, qwen36_27b
from workers.memory.model import predict
from workers.memory.request import MemoryRequest
from workers.memory.verdict import Fits, TooBig, fits

TEN_GIB = {f"blk.{layer}.attn_q.weight": 2560 for layer in range(4)}
MODEL = make_header(tensors_mib=TEN_GIB)
SMALL = predict(MODEL, MemoryRequest(ctx=256))  # 10240 MiB, 2 of KV, 338 of driver context


def too_big(verdict: Fits | TooBig) -> TooBig:
    assert isinstance(verdict, TooBig)
    return verdict


def test_what_exceeds_the_card_for_certain_is_refused_for_certain() -> None:
    verdict = too_big(fits(SMALL, capacity_mib=8192))
    assert verdict.certain
    assert verdict.by_mib == pytest.approx(2050)
    assert "2050 MiB more than the 8192 MiB of device 0" in verdict.sentence
    assert "weights 10240 MiB" in verdict.sentence
    assert "driver" not in verdict.sentence  # an estimate is no ground for certainty


def test_what_only_estimates_exceed_is_doubtful() -> None:
    verdict = too_big(fits(SMALL, capacity_mib=10500))
    assert not verdict.certain
    assert "probably" in verdict.sentence


def test_headroom_is_kept_free() -> None:
    assert isinstance(fits(SMALL, 10700, headroom_mib=100), Fits)
    assert isinstance(fits(SMALL, 10700, headroom_mib=200), TooBig)


def test_headroom_never_makes_a_certain_no() -> None:
    assert not too_big(fits(SMALL, 10700, headroom_mib=1e6)).certain


def test_what_fits_says_how_much_is_left() -> None:
    verdict = fits(SMALL, 16384, headroom_mib=256)
    assert verdict == Fits(spare_mib=16384 - 10240 - 2 - 338 - 256)


def test_the_advice_is_about_the_largest_term() -> None:
    long_context = predict(make_header(), MemoryRequest(ctx=2**20))
    assert "Shorten the context" in too_big(fits(long_context, 1024)).sentence
    drafts = predict(qwen36_27b(), MemoryRequest(ctx=256, spec="draft-mtp", n_max=16))
    assert "Draft fewer tokens" in too_big(fits(drafts, 1024)).sentence


def test_each_device_is_judged_on_its_own() -> None:
    pair = predict(MODEL, MemoryRequest(ctx=256, split=(1.0, 1.0)))
    # Five slots over two devices: three layers here, one and the output there.
    assert isinstance(fits(pair, (8704, 4096)), Fits)
    assert too_big(fits(pair, (24576, 2048))).device == 1


def test_one_capacity_per_device_is_needed() -> None:
    with pytest.raises(ValueError, match="2 capacities for 1 devices"):
        fits(SMALL, (1.0, 2.0))


class TestTheHost:
    cpu = predict(MODEL, MemoryRequest(ctx=2**20, split=()))  # 8 GiB of KV

    def test_a_rig_without_gpus_is_judged_by_its_memory(self) -> None:
        verdict = too_big(fits(self.cpu, (), host_capacity_mib=4096))
        assert verdict.certain
        assert verdict.device is None
        assert "KV cache 8192 MiB" in verdict.sentence

    def test_weights_are_mapped_files_and_never_a_certain_no(self) -> None:
        assert not too_big(fits(self.cpu, (), host_capacity_mib=12288)).certain

    def test_its_memory_must_be_given(self) -> None:
        with pytest.raises(ValueError, match="host_capacity_mib"):
            fits(self.cpu, ())
