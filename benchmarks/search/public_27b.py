"""A 27B model on an RTX 3090, put together from three public tables of 2026.

Each table varies one thing; here their ratios are multiplied, as if they did not interact. That
is made up, the ratios are not:

- KV types: MiB at 64K of context and median KL divergence, Qwen3.6-27B Q5_K_S on an RTX 3090
  (documentation of BeeLlama v0.4.7; rows without kept tail tokens).
- Depth: tok/s of llama-bench at four depths for three KV types, Qwen3.8-27B UD-IQ3_S on an
  RTX 3090 (github.com/TheTom/llama-cpp-turboquant, issue 102).
- Draft length: tok/s by n_max on an RTX A6000, the same generation, Qwen3.8-27B UD-Q8_K_XL
  (github.com/sudoingX/qwen38-mtp, sweeps at c7bc415).
- Memory: 27e9 weights of 5.54 bits (what llama.cpp says of Q5_K_S), 149.6 MiB of recurrent state
  for each drafted token and one more, as its log says of such a model; buffers are a guess.
"""

from __future__ import annotations

from bisect import bisect_left

from benchmarks.search.surface import Surface, Truth
from search_spaces.candidate import Candidate
from search_spaces.load import loads

# K/V: MiB at 65,536 tokens, median KL divergence in nats.
KV = {
    "bf16/bf16": (4096, 0.0),
    "q8_0/q8_0": (2176, 0.000909),
    "kvarn6/kvarn6": (1744, 0.000879),
    "kvarn5/kvarn5": (1488, 0.000897),
    "q5_0/q5_0": (1408, 0.001154),
    "kvarn5/kvarn4": (1360, 0.000936),
    "q5_0/q4_1": (1344, 0.001433),
    "kvarn4/kvarn4": (1232, 0.000994),
    "q4_0/q4_0": (1152, 0.001846),
    "kvarn4/kvarn3": (1104, 0.001112),
    "kvarn3/kvarn3": (976, 0.001316),
    "q3_0/q3_0": (896, 0.004696),
    "kvarn2/kvarn2": (720, 0.003811),
    "q2_0/q2_0": (640, 0.019374),
}
DEPTHS = (1_024, 8_192, 32_768, 55_296)
AT_DEPTH = {  # tok/s by bits of K: 16, 8, fewer
    16: (35.27, 34.57, 32.62, 30.83),
    8: (35.12, 33.38, 28.03, 24.02),
    4: (35.00, 32.35, 25.32, 20.87),
}
DRAFTED = {0: 26.7, 2: 52.5, 3: 60.7, 4: 64.1, 5: 62.8, 6: 58.6}  # tok/s by n_max
WEIGHTS_MIB = 27e9 * 5.54 / 8 / 2**20
STATE_MIB, BUFFERS_MIB, CARD_MIB = 149.6, 900.0, 24_576.0
_NOISE = 0.02  # one of those tables gives 135.0 and 129.8 tok/s for one candidate
_START_S, _TOKENS, _FAIL_S = 15.0, 2_048, 8.0

SPACE = loads(f"""
name: public_27b
fixed: {{model: m, drafter: draft}}
parameters:
  kv: [{", ".join(KV)}]
  ctx: [16384, 32768, 65536, 98304, 131072, 196608]
  spec: [none, draft-mtp]
  n_max: {{values: [2, 3, 4, 5, 6], when: spec == 'draft-mtp'}}
objectives: {{tok_s: maximize, kld_mean: minimize, ctx: maximize}}
""")


def at_depth(bits: int, depth: int) -> float:
    """Interpolated tok/s without drafts; beyond the table, as the last piece goes on."""
    rates = AT_DEPTH[bits]
    right = min(max(bisect_left(DEPTHS, depth), 1), len(DEPTHS) - 1)
    left = right - 1
    share = (depth - DEPTHS[left]) / (DEPTHS[right] - DEPTHS[left])
    return rates[left] + share * (rates[right] - rates[left])


def truth(candidate: Candidate) -> Truth:
    """The ratios of the tables multiplied; timed at half of the context."""
    n_max = (candidate.n_max or 0) if candidate.drafts else 0
    cache_mib, loss = KV[candidate.kv]
    needed = WEIGHTS_MIB + cache_mib * candidate.ctx / 65_536 + STATE_MIB * (1 + n_max)
    if needed + BUFFERS_MIB > CARD_MIB:
        return Truth(None, _FAIL_S)
    bits = {"bf16": 16, "q8_0": 8}.get(candidate.kv_k, 4)
    rate = at_depth(bits, candidate.ctx // 2) * DRAFTED[n_max] / DRAFTED[0]
    return Truth((rate, loss, float(candidate.ctx)), _START_S + _TOKENS / rate)


PUBLIC_27B = Surface(
    name="A 27B model on an RTX 3090, from public tables",
    told="Ratios of public tables, multiplied: `benchmarks/search/public_27b.py` names them.",
    space=SPACE,
    reference=(0.0, 0.02, 0.0),
    truth=truth,
    noise=lambda candidate: _NOISE,
    at_trials=(20, 40, 80),
    at_minutes=(15, 30, 60),
)
