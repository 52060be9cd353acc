"""A made-up surface in the shape of a 27B model on a 24 GB card. No number here was measured.

Speed follows from what each token must read: weights, the KV cache at half of the context, the
drafter; drafts pay by how many of their tokens are accepted. What does not fit fails. Quality
falls with the bits of weights and cache.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from benchmarks.search.surface import Surface, Truth
from search_spaces.candidate import Candidate
from search_spaces.load import loads

SPACE = loads("""
name: made_up_27b
fixed: {drafter: draft}
parameters:
  model: [q3, q4, q5, q6]
  kv: [f16/f16, q8_0/q8_0, q8_0/q5_1, q5_1/q5_1, q5_1/q4_0, q4_0/q4_0]
  ctx: [16384, 32768, 65536]
  spec: [none, draft-dflash]
  n_max: {min: 1, max: 15}
  ubatch: [128, 512, 1024]
objectives: {tok_s: maximize, ppl: minimize, ctx: maximize}
""")

_WEIGHTS_GB = {"q3": 11.8, "q4": 15.2, "q5": 18.3, "q6": 21.2}
_WEIGHT_LOSS = {"q3": 0.055, "q4": 0.018, "q5": 0.007, "q6": 0.002}
_KV_BITS = {"f16": 16.0, "q8_0": 8.5, "q5_1": 6.0, "q4_0": 4.5}
_KV_LOSS = {"f16": 0.0, "q8_0": 0.0005, "q5_1": 0.006, "q4_0": 0.03}
_DRAFT_GB, _KV_VALUES, _OF_BANDWIDTH = 0.9, 2 * 64 * 1024, 0.7
_PPL, _NOISE, _START_S, _TOKENS, _FAIL_S = 7.0, 0.015, 12.0, 2_048, 6.0


@dataclass(frozen=True, slots=True)
class Card:
    """What of a card decides here; the bandwidth is the data sheet's."""

    memory_gb: float = 24.0
    bandwidth_gb_s: float = 1_008.0


def truth(candidate: Candidate, card: Card = Card()) -> Truth:
    """The surface without noise."""
    bits = (_KV_BITS[candidate.kv_k] + _KV_BITS[candidate.kv_v]) / 2
    cache_gb = candidate.ctx * _KV_VALUES * bits / 8e9 / 2  # K and V share the values
    weights, draft_gb = _WEIGHTS_GB[candidate.model], _DRAFT_GB if candidate.drafts else 0.0
    buffers_gb = 0.4 + candidate.ubatch / 1024
    if weights + cache_gb + draft_gb + buffers_gb > card.memory_gb:
        return Truth(None, _FAIL_S)
    bandwidth = card.bandwidth_gb_s * _OF_BANDWIDTH
    step_s = (weights + cache_gb / 2) / bandwidth
    produced = 1.0
    if candidate.drafts:
        n_max = candidate.n_max or 1
        accept = 0.82 - 3.0 * _KV_LOSS[candidate.kv_k]
        produced = (1 - accept ** (n_max + 1)) / (1 - accept)
        step_s = step_s * (1 + 0.035 * n_max) + draft_gb / bandwidth
    rate = produced / step_s * (1 - 0.01 * (candidate.ubatch == 128))
    loss = _WEIGHT_LOSS[candidate.model]
    loss += _KV_LOSS[candidate.kv_k] * 1.5 + _KV_LOSS[candidate.kv_v] * 0.7
    return Truth((rate, _PPL * math.exp(loss), float(candidate.ctx)), _START_S + _TOKENS / rate)


CARD_24GB = Surface(
    name="A 27B model on a 24 GB card, made up",
    told="Formulas: bandwidth of weights and cache, drafts accepted by KV type, a limit of memory.",
    space=SPACE,
    reference=(0.0, 9.0, 0.0),
    truth=truth,
    noise=lambda candidate: _NOISE,
    at_trials=(20, 40, 80, 160),
    at_minutes=(15, 30, 60),
)
