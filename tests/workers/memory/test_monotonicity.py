"""More is never predicted to need less."""

from __future__ import annotations

import dataclasses

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support.model_headers import make_header, qwen36_27b
from workers.memory import kv_types
from workers.memory.model import predict
from workers.memory.request import MemoryRequest

MODELS = [
    make_header(),
    qwen36_27b(),
    make_header("gpt-oss", keys={"attention.sliding_window": 128}),
    make_header("lfm2", n_head_kv=[0, 4, 0, 4], keys={"shortconv.l_cache": 3}),
]
DRAFTERS = [None, make_header("dflash", n_layer=2), make_header("llama", n_layer=1)]
SPECS = ["none", "draft-dflash", "draft-mtp", "draft-simple", "ngram-mod"]

requests = st.builds(
    MemoryRequest,
    ctx=st.integers(1, 2**20),
    kv_k=st.sampled_from(sorted(kv_types.KV_TYPES)),
    kv_v=st.sampled_from(sorted(kv_types.KV_TYPES)),
    n_seq=st.integers(1, 16),
    unified=st.booleans(),
    n_ubatch=st.sampled_from([64, 128, 512, 2048]),
    swa_full=st.booleans(),
    spec=st.sampled_from(SPECS),
    n_max=st.integers(0, 16),
    drafter=st.sampled_from(DRAFTERS),
    ngl=st.none() | st.integers(0, 70),
    split=st.sampled_from([(1.0,), (2.0, 1.0), (1.0, 1.0, 1.0)]),
    split_mode=st.sampled_from(["layer", "tensor"]),
)


def need(model: int, request: MemoryRequest) -> int:
    """Bytes over all places, estimates left out."""
    got = predict(MODELS[model], request)
    return got.lower_bound() + got.host.total(without=got.uncertain)


unhurried = settings(deadline=None)
which = st.integers(0, len(MODELS) - 1)


@unhurried
@given(model=which, request=requests, more=st.integers(1, 2**18))
def test_a_longer_context(model: int, request: MemoryRequest, more: int) -> None:
    longer = dataclasses.replace(request, ctx=request.ctx + more)
    assert need(model, longer) >= need(model, request)


@unhurried
@given(model=which, request=requests, wider=st.sampled_from(sorted(kv_types.KV_TYPES)))
def test_a_wider_kv_type(model: int, request: MemoryRequest, wider: str) -> None:
    now, then = kv_types.KV_TYPES[request.kv_k], kv_types.KV_TYPES[wider]
    assume(then.bits >= now.bits)
    assume(not now.exact_window)  # KVarN keeps a tail in 16 bits that a wider type does not
    assert need(model, dataclasses.replace(request, kv_k=wider)) >= need(model, request)


@unhurried
@given(model=which, request=requests)
def test_a_longer_draft(model: int, request: MemoryRequest) -> None:
    longer = dataclasses.replace(request, n_max=request.n_max + 1)
    assert need(model, longer) >= need(model, request)


@unhurried
@given(model=which, request=requests)
def test_another_slot_of_the_same_size(model: int, request: MemoryRequest) -> None:
    per_slot = -(-request.ctx // request.n_seq // 256) * 256 + 256
    fewer = dataclasses.replace(request, ctx=per_slot * request.n_seq)
    more = dataclasses.replace(fewer, n_seq=request.n_seq + 1, ctx=per_slot * (request.n_seq + 1))
    assert need(model, more) >= need(model, fewer)


@unhurried
@given(model=which, request=requests)
def test_offloading_moves_bytes_and_loses_none(model: int, request: MemoryRequest) -> None:
    # Rounding of shares may drop a byte per layer and device.
    header = MODELS[model]
    all_on = need(model, dataclasses.replace(request, ngl=None))
    some_on = need(model, request)
    assert abs(all_on - some_on) <= 8 * 3 * (header.n_layer_all + 1)
