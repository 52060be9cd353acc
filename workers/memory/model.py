"""`predict`: the memory of one launch, from headers alone.

Checked against public load logs: benchmarks/results/memory_model.md.
"""

from __future__ import annotations

from workers.contract.model_header import ModelHeader
from workers.memory import draft, kv_cache, kv_types
from workers.memory.calibration import ComputeSize
from workers.memory.kv_cache import KvPair
from workers.memory.placement import Placement, Spread, place
from workers.memory.prediction import Prediction
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
    placement = place(request, header.n_layer_all, request.ngl)
    kv_placement = placement if request.kv_offload else place(request, header.n_layer_all, 0)
    kv = kv_pair(request.kv_k, request.kv_v, notes)
    if not header.layers.certain:
        uncertain |= {"kv", "swa", "recurrent"}
        notes.append(f"How {header.architecture} models keep their context is not modelled.")
    spreads: dict[str, Spread | None] = {"weights": weights(header, request, placement)}
    spreads["kv"] = spreads["swa"] = None
    if kv is not None:
        full = kv_cache.full_bytes(header, request, kv, header.layers.full)
        spreads["kv"] = kv_placement.spread(full)
        spreads["swa"] = kv_placement.spread(kv_cache.swa_bytes(header, request, kv))
    state = recurrent(header, request)
    spreads["recurrent"] = None if state is None else kv_placement.spread(state)
    if state is None:
        notes.append(f"{header.name} does not say how large its recurrent state is.")
    draft_kv = kv_pair(request.draft_kv_k, request.draft_kv_v, notes)
    spreads["draft_weights"] = draft.weights(request)
    spreads["draft_kv"] = None if draft_kv is None else draft.kv(header, request, draft_kv)
    if request.drafter is not None and not request.drafter.layers.certain:
        uncertain.add("draft_kv")
    if compute is None:
        notes.append("Compute buffers are not calibrated for this launch.")
    elif not compute.certain:
        uncertain.add("compute")
    devices = tuple(
        _terms(spreads, index).replace(
            compute=None if compute is None else compute.devices[index],
            context_overhead=context_overhead,
        )
        for index in range(placement.n_devices)
    )
    host = _terms(spreads, None).replace(compute=None if compute is None else compute.host)
    return Prediction(devices, host, frozenset(uncertain), tuple(notes))


def weights(header: ModelHeader, request: MemoryRequest, placement: Placement) -> Spread:
    """The weights term: what only looks tokens up stays on the host, experts on request.

    Source: llama.cpp src/llama-model.cpp (`dev_input` is the CPU; a missing output tensor is
    a second copy of token_embd) and common/arg.cpp (--n-cpu-moe N: experts of layers below
    N). Next-token layers are loaded for draft-mtp only (`load_mtp`).
    """
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
    return Spread(spread.host + on_host, spread.devices)


def recurrent(header: ModelHeader, request: MemoryRequest) -> list[int] | None:
    """Per-layer bytes of the recurrent state; None where the file does not say.

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
    return result


def kv_pair(k: str, v: str, notes: list[str]) -> KvPair | None:
    """The two types by name; None with a note if one is unknown."""
    types = [kv_types.find(name) for name in (k, v)]
    for name, found in zip((k, v), types, strict=True):
        if found is None:
            notes.append(f"The size of KV type {name!r} is not known.")
    return KvPair(types[0], types[1]) if types[0] and types[1] else None


def _terms(spreads: dict[str, Spread | None], device: int | None) -> Terms:
    sizes: dict[str, int | None] = {
        term: None if spread is None else spread.host if device is None else spread.devices[device]
        for term, spread in spreads.items()
    }
    return Terms(**sizes)
