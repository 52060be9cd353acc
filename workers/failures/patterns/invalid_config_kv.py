"""KV-cache types that contradict each other, flash attention, or the model's head size.

A quantised V cache exists only with flash attention; a type's block must divide the head.
Wordings: llama.cpp src/llama-context.cpp (2024 to 2026) and its forks.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_invalid = partial(pattern, FailureKind.INVALID_CONFIG)

_V_NEEDS_FA = r"V[- ]cache[^\n]{0,40}requires?[^\n]{0,12} flash[_ ]?att(?:entio)?n"
_PAIR = (
    "This K type switches flash attention off and this V type needs it on: the pair cannot "
    "exist in this build, so exclude it."
)

PATTERNS = (
    _invalid(
        r"flash_attn (?:is )?not (?:supported|compatible) with \S+ K[- ]cache[^\n]*",
        "kv_pair_conflict",
        _PAIR,
        Level.DECISIVE,
        elsewhere=_V_NEEDS_FA,
    ),
    _invalid(
        _V_NEEDS_FA,
        "v_quant_without_fa",
        "A quantised V cache needs flash attention: turn -fa on (if it was on, this build has no "
        "kernel for the type), or keep V at f16.",
    ),
    _invalid(
        r"does not support different K \(\S+\) and V \(\S+\) cache types"
        r"|(?:type_k|K and V|K/V)[^\n]{0,30} must (?:be the same|match|be equal)",
        "kv_pair_conflict",
        "This model needs equal K and V types: exclude mixed pairs for it.",
    ),
    _invalid(
        r"does not divide n_embd_head|n_embd_head_[kv](?:\(\w*\))? % ggml_blck_size"
        r"|head (?:dim|size)[^\n]{0,30}(?:multiple of|divisible by)[^\n]*(?:block|blck)",
        "head_dim",
        "The type's block does not divide this model's head size: exclude the type for it.",
    ),
)
