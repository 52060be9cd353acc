"""The terms of one launch, each where it belongs."""

from __future__ import annotations

import pytest

from tests.support.model_headers import MIB, make_header, qwen36_27b
from workers.memory.calibration import ComputeSize
from workers.memory.model import CUDA_CONTEXT_BYTES, predict
from workers.memory.request import MemoryRequest

DENSE = {
    "token_embd.weight": 50,
    "output.weight": 60,
    **{f"blk.{layer}.attn_q.weight": 100 for layer in range(4)},
}


class TestWeights:
    def test_the_embedding_stays_on_the_host(self) -> None:
        got = predict(make_header(tensors_mib=DENSE), MemoryRequest(ctx=256))
        assert got.devices[0].weights == 460 * MIB
        assert got.host.weights == 50 * MIB

    def test_a_tied_output_is_a_second_copy_on_the_device(self) -> None:
        tied = {name: size for name, size in DENSE.items() if name != "output.weight"}
        got = predict(make_header(tensors_mib=tied), MemoryRequest(ctx=256))
        assert got.devices[0].weights == 450 * MIB
        assert got.host.weights == 50 * MIB

    def test_on_the_cpu_a_tied_output_is_no_copy(self) -> None:
        tied = {name: size for name, size in DENSE.items() if name != "output.weight"}
        got = predict(make_header(tensors_mib=tied), MemoryRequest(ctx=256, split=()))
        assert got.devices == ()
        assert got.host.weights == 450 * MIB

    def test_experts_of_the_first_layers_move_to_the_cpu(self) -> None:
        moe = {**DENSE, **{f"blk.{layer}.ffn_up_exps.weight": 500 for layer in range(4)}}
        got = predict(make_header(tensors_mib=moe), MemoryRequest(ctx=256, n_cpu_moe=3))
        assert got.devices[0].weights == (460 + 500) * MIB
        assert got.host.weights == (50 + 1500) * MIB

    def test_next_token_layers_are_loaded_for_mtp_only(self) -> None:
        model = qwen36_27b({"blk.0.attn_q.weight": 100, "blk.64.attn_q.weight": 300})
        plain = predict(model, MemoryRequest(ctx=256))
        mtp = predict(model, MemoryRequest(ctx=256, spec="draft-mtp", n_max=2))
        assert plain.devices[0].weights == 100 * MIB
        assert mtp.devices[0].weights == 400 * MIB


class TestContext:
    def test_kv_counts_full_attention_layers_only(self) -> None:
        got = predict(qwen36_27b(), MemoryRequest(ctx=32768))
        assert got.devices[0].kv == 32768 * 16 * 4 * (256 + 256) * 2

    def test_keys_and_values_have_their_own_types(self) -> None:
        got = predict(make_header(), MemoryRequest(ctx=256, kv_k="q8_0", kv_v="q4_0"))
        per_token = 4 * 4 * 128  # layers, heads, width
        assert got.devices[0].kv == 256 * per_token * (34 + 18) // 32

    def test_windowed_layers_are_a_term_of_their_own(self) -> None:
        model = make_header("gpt-oss", keys={"attention.sliding_window": 128})
        got = predict(model, MemoryRequest(ctx=8192))
        per_token = 2 * 4 * (128 + 128) * 2  # two layers of each kind
        assert got.devices[0].kv == 8192 * per_token
        assert got.devices[0].swa == 768 * per_token

    def test_the_indexer_of_sparse_attention_is_one_more_key(self) -> None:
        keys = {"attention.key_length_mla": 192, "attention.indexer.key_length": 64}
        indexer = {"blk.1.indexer.k_norm.weight": 1, "blk.3.indexer.k_norm.weight": 1}
        model = make_header("glm-dsa", n_head_kv=1, head_dim=576, keys=keys, tensors_mib=indexer)
        got = predict(model, MemoryRequest(ctx=256))
        assert got.devices[0].kv == 256 * (4 * 576 + 2 * 64) * 2

    def test_draft_length_multiplies_the_recurrent_state(self) -> None:
        one = predict(qwen36_27b(), MemoryRequest(ctx=256)).devices[0].recurrent
        seven = (
            predict(qwen36_27b(), MemoryRequest(ctx=256, spec="draft-dflash", n_max=6))
            .devices[0]
            .recurrent
        )
        assert one is not None
        assert one / MIB == pytest.approx(149.62, abs=0.01)
        assert seven == 7 * one

    def test_ngram_drafting_keeps_no_earlier_states(self) -> None:
        plain = predict(qwen36_27b(), MemoryRequest(ctx=256))
        ngram = predict(qwen36_27b(), MemoryRequest(ctx=256, spec="ngram-mod", n_max=64))
        assert plain.devices[0].recurrent == ngram.devices[0].recurrent

    def test_unified_slots_still_have_a_state_each(self) -> None:
        one = predict(qwen36_27b(), MemoryRequest(ctx=1024)).devices[0]
        four = predict(qwen36_27b(), MemoryRequest(ctx=1024, n_seq=4, unified=True)).devices[0]
        assert four.kv == one.kv
        assert one.recurrent is not None
        assert four.recurrent == 4 * one.recurrent

    def test_kv_can_stay_on_the_host(self) -> None:
        got = predict(make_header(), MemoryRequest(ctx=256, kv_offload=False))
        assert got.devices[0].kv == 0
        assert got.host.kv == 256 * 4 * 4 * 256 * 2

    def test_a_precision_tail_is_kept_beside_a_quantized_cache(self) -> None:
        request = MemoryRequest(ctx=65536, kv_k="q4_0", kv_v="q4_0", kv_tail_tokens=1024)
        got = predict(qwen36_27b(), request).devices[0].kv
        assert got == 1248 * MIB  # BeeLlama's ladder: "q4_0/q4_0 t1024"


class TestDraft:
    def test_the_next_token_layer_of_a_27b_takes_4096_bytes_a_token(self) -> None:
        request = MemoryRequest(ctx=262144, kv_k="q4_0", kv_v="q4_0", spec="draft-mtp", n_max=6)
        assert predict(qwen36_27b(), request).devices[0].draft_kv == 1024 * MIB

    def test_a_drafter_brings_weights_and_a_cache_over_the_whole_context(self) -> None:
        drafter = make_header("dflash", n_layer=2, tensors_mib={"fc.weight": 7})
        request = MemoryRequest(ctx=8192, spec="draft-dflash", n_max=4, drafter=drafter)
        got = predict(make_header(), request).devices[0]
        assert got.draft_weights == 7 * MIB
        assert got.draft_kv == 8192 * 2 * 4 * (128 + 128) * 2

    def test_its_cache_has_types_of_its_own(self) -> None:
        drafter = make_header("dflash", n_layer=2)
        request = MemoryRequest(
            ctx=8192, kv_k="q4_0", kv_v="q4_0", spec="draft-dflash", drafter=drafter
        )
        assert predict(make_header(), request).devices[0].draft_kv == 8192 * 2 * 4 * 256 * 2

    def test_forks_can_draft_over_a_shorter_context(self) -> None:
        drafter = make_header("dflash", n_layer=2)
        request = MemoryRequest(ctx=8192, spec="dflash", drafter=drafter, draft_ctx=256)
        assert predict(make_header(), request).devices[0].draft_kv == 256 * 2 * 4 * 256 * 2

    def test_a_precision_tail_is_for_the_target_only(self) -> None:
        drafter = make_header("dflash", n_layer=2)
        request = MemoryRequest(
            ctx=8192, spec="draft-dflash", drafter=drafter, draft_kv_k="q4_0", kv_tail_tokens=1024
        )
        per_token = 2 * 4 * 128  # layers, heads, width
        got = predict(make_header(), request).devices[0].draft_kv
        assert got == 8192 * per_token * (18 / 32 + 2)

    def test_a_drafter_that_is_not_used_is_not_loaded(self) -> None:
        drafter = make_header("dflash", tensors_mib={"fc.weight": 7})
        got = predict(make_header(), MemoryRequest(ctx=256, drafter=drafter)).devices[0]
        assert (got.draft_weights, got.draft_kv) == (0, 0)

    def test_a_gemma4_assistant_reads_the_cache_of_its_target(self) -> None:
        assistant = make_header("gemma4-assistant")
        request = MemoryRequest(ctx=256, spec="draft-mtp", n_max=1, drafter=assistant)
        assert predict(make_header("gemma4"), request).devices[0].draft_kv == 0


class TestWhatIsNotKnown:
    def test_compute_buffers_need_a_probe(self) -> None:
        got = predict(make_header(), MemoryRequest(ctx=256))
        assert got.devices[0].compute is None
        assert "not calibrated" in got.describe()

    def test_a_probe_makes_them_certain(self) -> None:
        bare = predict(make_header(), MemoryRequest(ctx=256))
        probed = predict(make_header(), MemoryRequest(ctx=256), ComputeSize((5 * MIB,), True))
        assert probed.lower_bound() == bare.lower_bound() + 5 * MIB

    def test_the_driver_context_is_an_estimate(self) -> None:
        got = predict(make_header(), MemoryRequest(ctx=256))
        assert got.estimate() == got.lower_bound() + CUDA_CONTEXT_BYTES

    def test_an_unknown_kv_type_is_named_and_not_counted(self) -> None:
        got = predict(make_header(), MemoryRequest(ctx=256, kv_k="quantum7"))
        assert got.devices[0].kv is None
        assert "'quantum7'" in got.describe()

    def test_a_state_of_unknown_size_is_named_and_not_counted(self) -> None:
        got = predict(make_header("qwen35", n_layer=8), MemoryRequest(ctx=256))
        assert got.devices[0].recurrent is None
        assert "recurrent state" in got.describe()

    def test_an_architecture_that_is_not_modelled_raises_no_lower_bound(self) -> None:
        got = predict(make_header("deepseek4"), MemoryRequest(ctx=1_000_000))
        assert got.lower_bound() == 0
        assert got.estimate() > 0
