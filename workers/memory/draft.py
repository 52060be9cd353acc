"""The draft terms: a drafter's weights and cache, or the target's own next-token layers.

Source: llama.cpp common/speculative.cpp, `common_base_params_to_speculative` and
`common_speculative_init_result`: the draft context is as long as the target's, keeps no
earlier states, and has KV types of its own (f16 unless -ctkd/-ctvd say otherwise).
"""

from __future__ import annotations

import dataclasses

from workers.contract.model_header import ModelHeader
from workers.memory import kv_cache
from workers.memory.kv_cache import KvPair
from workers.memory.placement import Spread, place
from workers.memory.request import MemoryRequest


def weights(request: MemoryRequest) -> Spread:
    """The drafter's own tensors; what it shares with the target is not in its file."""
    drafter = request.drafter
    if drafter is None or not request.spec_types:
        return Spread(0, (0,) * len(request.split))
    placement = place(request, drafter.n_layer_all, request.draft_ngl)
    sizes = drafter.weights
    tied_copy = sizes.token_embd if sizes.tied and placement.device[-1] is not None else 0
    spread = placement.spread(sizes.layers, sizes.output + tied_copy)
    return Spread(spread.host + sizes.embedding, spread.devices)


def kv(target: ModelHeader, request: MemoryRequest, types: KvPair) -> Spread:
    """The draft context's cache and, for a recurrent drafter, its state.

    Seen: 4096 bytes a token for the next-token layer of a 27B, whatever -ctk is.
    """
    none = Spread(0, (0,) * len(request.split))
    request = dataclasses.replace(request, kv_tail_tokens=0)  # tails are for targets only
    if request.uses_own_nextn:
        per_layer = kv_cache.full_bytes(
            target, request, types, target.layers.nextn, request.draft_ctx
        )
        return place(request, target.n_layer_all, request.ngl).spread(per_layer)
    drafter = request.drafter
    if drafter is None or not request.spec_types:
        return none
    if drafter.architecture == "gemma4-assistant":
        return none  # it reads the target's cache (`share` in create_memory)
    layers = drafter.layers
    attention = layers.full
    if "mtp" in request.spec_types and layers.nextn:
        attention = layers.nextn
    per_layer = kv_cache.full_bytes(drafter, request, types, attention, request.draft_ctx)
    if attention is layers.full:
        swa = kv_cache.swa_bytes(drafter, request, types, request.draft_ctx)
        state = drafter.recurrent_layer_bytes or 0
        for layer in range(drafter.n_layer_all):
            per_layer[layer] += swa[layer]
            if layer in layers.recurrent:
                per_layer[layer] += state * max(request.n_seq, 1)
    return place(request, drafter.n_layer_all, request.draft_ngl).spread(per_layer)
