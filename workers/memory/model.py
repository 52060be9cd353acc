"""`predict`: the memory of one launch, from headers alone.

Checked against public load logs: benchmarks/results/memory_model.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from workers.contract.model_header import ModelHeader
from workers.memory import draft, kv_cache, kv_types
from workers.memory.calibration import ComputeSize
from workers.memory.kv_cache import KvPair
from workers.memory.overrides import OverrideError, applied, moves
from workers.memory.placement import Placement, Spread, place
from workers.memory.prediction import Prediction
from workers.memory.remembered import Remembered
from workers.memory.request import MemoryRequest
from workers.memory.terms import MIB, Terms

# What a CUDA device holds before any buffer: 338 MiB on an RTX 3090 (298 of the process, 40 of
# the driver), 300 to 530 on others. Source: ananke, scripts/calibration/data/measurements.ndjson.
CUDA_CONTEXT_BYTES = 338 * MIB


def predict(
    header: ModelHeader,
    request: MemoryRequest,
    compute: ComputeSize | None = None,
    context_overhead: int = CUDA_CONTEXT_BYTES,
) -> Prediction:
    """Terms for each device and the host.

    `compute` comes from a `Calibration`; `context_overhead` is bytes per device that the
    driver takes. Unknown KV types and states stay None.
    """
    notes: list[str] = []
    uncertain = {"context_overhead"}
    if not header.layers.certain:
        uncertain |= {"kv", "swa", "recurrent"}
        notes.append(f"How {header.architecture} models keep their context is not modelled.")
    try:
        spreads = {"weights": _SPREADS["weights"](header, request)}
    except OverrideError as error:
        spreads = {"weights": _SPREADS["weights"](header, replace(request, override_tensor=""))}
        uncertain.add("weights")
        notes.append(f"override_tensor is not counted: {error}.")
    for term, spread in _SPREADS.items():
        if term not in spreads:
            spreads[term] = spread(header, request)
    kinds = (request.kv_k, request.kv_v, request.draft_kv_k, request.draft_kv_v)
    for kind in dict.fromkeys(kinds):
        if kv_types.find(kind) is None:
            notes.append(f"The size of KV type {kind!r} is not known.")
    if spreads["recurrent"] is None:
        notes.append(f"{header.name} does not say how large its recurrent state is.")
    if request.drafter is not None and not request.drafter.layers.certain:
        uncertain.add("draft_kv")
    if compute is None:
        notes.append("Compute buffers are not calibrated for this launch.")
    elif not compute.certain:
        uncertain.add("compute")
    devices = tuple(
        Terms(
            **_at(spreads, index),
            compute=None if compute is None else compute.devices[index],
            context_overhead=context_overhead,
        )
        for index in range(len(request.split))
    )
    host = Terms(**_at(spreads, None), compute=None if compute is None else compute.host)
    resident = request.keeps_host_weights
    return Prediction(devices, host, frozenset(uncertain), tuple(notes), resident)


def weights(header: ModelHeader, request: MemoryRequest) -> Spread:
    """The weights term: what only looks tokens up stays on the host, experts on request.

    Source: llama.cpp src/llama-model.cpp (`dev_input` is the CPU; a missing output tensor is
    a second copy of token_embd) and common/arg.cpp (--n-cpu-moe N: experts of layers below
    N). Next-token layers are loaded for draft-mtp only (`load_mtp`).
    """
    placement = place(request, header.n_layer_all, request.ngl)
    sizes = header.weights
    per_layer = list(sizes.layers)
    on_host = sizes.embedding
    if not request.uses_own_nextn:
        for layer in header.layers.nextn:
            per_layer[layer] = 0
    for layer in range(min(request.n_cpu_moe, header.n_layer_all)):
        moved = min(sizes.experts[layer], per_layer[layer])
        per_layer[layer] -= moved
        on_host += moved
    tied_copy = sizes.token_embd if sizes.tied and placement.device[-1] is not None else 0
    spread = placement.spread(per_layer, sizes.output + tied_copy)
    spread = Spread(spread.host + on_host, spread.devices)
    if not request.override_tensor:
        return spread
    loaded = (
        move
        for move in moves(header, request.override_tensor, request.n_cpu_moe)
        if move.layer is None or per_layer[move.layer]
    )
    return applied(spread, placement, tuple(loaded))


def recurrent(header: ModelHeader, request: MemoryRequest) -> Spread | None:
    """The recurrent state; None where the file does not say how large it is.

    Source: llama.cpp src/llama-memory-recurrent.cpp: sequences x (1 + n_rs_seq) rows, where
    n_rs_seq is the draft length asked for if the architecture can roll back. Unified KV does
    not change it. Seen: 149.62 MiB a sequence on Qwen3.6-27B, 1047.38 with a draft of 6.
    """
    if header.layers.recurrent and header.recurrent_layer_bytes is None:
        return None
    copies = request.state_copies if header.recurrent_rollback else 1
    result = [0] * header.n_layer_all
    for layer in header.layers.recurrent:
        result[layer] = (header.recurrent_layer_bytes or 0) * max(request.n_seq, 1) * copies
    return _kv_placement(header, request).spread(result)


def kv(header: ModelHeader, request: MemoryRequest) -> Spread | None:
    """The cache of full attention; None where a type has no known size."""
    pair = kv_pair(request.kv_k, request.kv_v)
    if pair is None:
        return None
    per_layer = kv_cache.full_bytes(header, request, pair, header.layers.full)
    return _kv_placement(header, request).spread(per_layer)


def swa(header: ModelHeader, request: MemoryRequest) -> Spread | None:
    """The cache of sliding-window layers; None where a type has no known size."""
    pair = kv_pair(request.kv_k, request.kv_v)
    if pair is None:
        return None
    return _kv_placement(header, request).spread(kv_cache.swa_bytes(header, request, pair))


def draft_kv(header: ModelHeader, request: MemoryRequest) -> Spread | None:
    """The draft context's cache; None where a type has no known size."""
    pair = kv_pair(request.draft_kv_k, request.draft_kv_v)
    return None if pair is None else draft.kv(header, request, pair)


def kv_pair(k: str, v: str) -> KvPair | None:
    """The two types by name; None if one is unknown."""
    found_k, found_v = kv_types.find(k), kv_types.find(v)
    return KvPair(found_k, found_v) if found_k and found_v else None


def _kv_placement(header: ModelHeader, request: MemoryRequest) -> Placement:
    return place(request, header.n_layer_all, request.ngl if request.kv_offload else 0)


def _at(spreads: Mapping[str, Spread | None], device: int | None) -> dict[str, int | None]:
    return {
        term: None if spread is None else spread.host if device is None else spread.devices[device]
        for term, spread in spreads.items()
    }


# What each term reads of a request beside the header: the key under which it is remembered.
_PLACE = ("split", "split_mode", "ngl")
_CELLS = ("ctx", "n_seq", "unified", "n_ubatch")
_CACHE = (*_PLACE, "kv_offload", "kv_k", "kv_v", *_CELLS)
_DRAFTER = ("drafter", "spec", "split", "split_mode", "draft_ngl")
_SPREADS: Mapping[str, Remembered] = {
    "weights": Remembered(weights, *_PLACE, "n_cpu_moe", "override_tensor", "spec", "drafter"),
    "kv": Remembered(kv, *_CACHE, "kv_tail_tokens"),
    "swa": Remembered(swa, *_CACHE, "swa_full"),
    "recurrent": Remembered(recurrent, *_PLACE, "kv_offload", "spec", "n_max", "n_seq"),
    "draft_weights": Remembered(lambda header, request: draft.weights(request), *_DRAFTER),
    "draft_kv": Remembered(
        draft_kv, *_DRAFTER, "ngl", "draft_kv_k", "draft_kv_v", "draft_ctx", *_CELLS, "swa_full"
    ),
}
