"""The KV-cache terms: full attention, sliding window, and what forks keep unquantized."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workers.contract.model_header import ModelHeader
from workers.memory.cells import context_cells, streams, swa_cells
from workers.memory.kv_types import KvType
from workers.memory.request import MemoryRequest

_EXACT_BYTES = 2  # f16 or bf16
_TILE = 128  # KVarN quantizes tiles of 128 tokens
_SINK_AND_STAGE = 256  # ... keeps the first tile exact and one in the making


@dataclass(frozen=True, slots=True)
class KvPair:
    """The types of keys and values."""

    k: KvType
    v: KvType


def token_bytes(header: ModelHeader, layer: int, kv: KvPair, swa: bool = False) -> int:
    """Bytes of one token in one layer.

    Source: llama.cpp src/llama-kv-cache.cpp: n_head_kv x head_dim for K and for V; MLA
    models keep keys only (lora rank + rope dimensions: that is their key_length).
    """
    heads = header.n_head_kv[layer]
    dim_k = header.head_dim_k_swa if swa else header.head_dim_k
    dim_v = header.head_dim_v_swa if swa else header.head_dim_v
    keys = kv.k.row_bytes(heads * dim_k)
    return keys if header.mla else keys + kv.v.row_bytes(heads * dim_v)


def full_bytes(
    header: ModelHeader,
    request: MemoryRequest,
    kv: KvPair,
    layers: Iterable[int],
    ctx: int | None = None,
) -> list[int]:
    """Per-layer bytes of the cache over the whole context; 0 for layers not in `layers`."""
    cells = context_cells(request, ctx)
    n_streams = streams(request)
    result = [0] * header.n_layer_all
    for layer in layers:
        per_cell = token_bytes(header, layer, kv)
        if layer in header.layers.indexer:  # one more key per token (llama-kv-cache-dsa.cpp)
            per_cell += kv.k.row_bytes(header.indexer_key_length)
        exact = exact_tokens(request, kv, cells) * _exact_token_bytes(header, layer)
        result[layer] = n_streams * (cells * per_cell + exact)
    return result


def swa_bytes(
    header: ModelHeader, request: MemoryRequest, kv: KvPair, ctx: int | None = None
) -> list[int]:
    """Per-layer bytes of the sliding-window cache."""
    cells = streams(request) * swa_cells(request, header.sliding_window, ctx)
    result = [0] * header.n_layer_all
    for layer in header.layers.swa:
        result[layer] = cells * token_bytes(header, layer, kv, swa=True)
    return result


def exact_tokens(request: MemoryRequest, kv: KvPair, cells: int) -> int:
    """Tokens that BeeLlama keeps in 16 bits beside the quantized cache.

    Solved from its ladder of Qwen3.6-27B at 64K with -ub 512: a tail of 1024 adds 96 MiB to
    q4_0 (1024 + 512 tokens) and 112 MiB to every kvarn size (256 more).
    """
    if not (kv.k.is_quantized or kv.v.is_quantized):
        return 0
    least = max(kv.k.exact_window, kv.v.exact_window)
    tail = max(request.kv_tail_tokens, least)
    if tail == 0:
        return 0
    if least:
        tail = -(-tail // _TILE) * _TILE + _SINK_AND_STAGE
    return min(tail + request.n_ubatch, cells)


def _exact_token_bytes(header: ModelHeader, layer: int) -> int:
    width = header.head_dim_k + (0 if header.mla else header.head_dim_v)
    return header.n_head_kv[layer] * width * _EXACT_BYTES
