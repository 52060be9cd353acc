"""What one must know about an architecture because its files do not say it.

Source of every table: llama.cpp b11312, `load_arch_hparams` in src/models/<architecture>.cpp,
`llm_arch_is_*` and `llm_arch_supports_rs_rollback` in src/llama-arch.cpp, and
`llama_model::create_memory` in src/llama-model.cpp.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interleave:
    """SWA layers by rule: in each `period` one layer is full, the last (or first) of it.

    `window` in tokens: `default` where the file names none, `fixed` whatever it names.
    """

    period: int
    dense_first: bool = False
    default: int = 0
    fixed: int = 0


INTERLEAVED = {
    "afmoe": Interleave(4),
    "cohere2": Interleave(4),
    "cohere2moe": Interleave(4, dense_first=True),
    "exaone-moe": Interleave(4, default=128),
    "exaone4": Interleave(4, default=4096),
    "gemma2": Interleave(2, default=4096),
    "gemma3": Interleave(6),
    "gemma3n": Interleave(5),
    "gpt-oss": Interleave(2),
    "laguna": Interleave(4, dense_first=True),
    "llama4": Interleave(4, default=8192, fixed=8192),
    "mellum": Interleave(4),
    "muse-glimmer": Interleave(4),
    "olmo2": Interleave(4),
    "plamo3": Interleave(8),
    "smallthinker": Interleave(4, dense_first=True, fixed=4096),
}

# Their files list the SWA layers one by one; without the list the map is a guess.
LISTED_SWA = frozenset(
    {
        "dflash",
        "dots3note",
        "gemma4",
        "gemma4-assistant",
        "granite_swa",
        "maple",
        "mimo2",
        "spark2_5",
        "step35",
    }
)

# A window stands in their files and the engine ignores it.
SWA_IGNORED = frozenset({"phi3"})

# A window makes every attention layer a SWA layer.
ALL_SWA = frozenset({"lfm2", "lfm2moe"})

RECURRENT = frozenset({"mamba", "mamba2", "rwkv6", "rwkv6qwen2", "rwkv7", "arwkv7"})

# Every n-th layer is full attention, the others are recurrent: the default of n.
FULL_ATTENTION_INTERVAL = {
    "minimax-01": 8,
    "qwen35": 4,
    "qwen35moe": 4,
    "qwen3next": 4,
    "qwen4exp": 4,
}

# A layer without KV heads is recurrent.
RECURRENT_WITHOUT_HEADS = frozenset(
    {
        "bailingmoe3",
        "glm5-next",
        "granitehybrid",
        "jamba",
        "kimi-k3",
        "kimi-linear",
        "lfm2",
        "lfm2moe",
        "plamo2",
    }
)

# Likewise, but one that also has a feed-forward width is neither.
RECURRENT_WITHOUT_HEADS_AND_FFN = frozenset({"nemotron_h", "nemotron_h_moe"})

RECURRENT_AND_ATTENTION = frozenset({"falcon-h1"})

# `n_rs_seq` is honoured: earlier states are kept, so speculation needs no re-evaluation.
ROLLBACK = frozenset(
    {
        "bailingmoe3",
        "deepseek4",
        "glm5-next",
        "kimi-k3",
        "lfm2",
        "lfm2moe",
        "nemotron_h",
        "nemotron_h_moe",
        "qwen35",
        "qwen35moe",
        "qwen4exp",
    }
)

NO_CACHE = frozenset(
    {
        "bert",
        "dream",
        "eurobert",
        "gemma-embedding",
        "jina-bert-v2",
        "jina-bert-v3",
        "llada",
        "llada-moe",
        "modern-bert",
        "neo-bert",
        "nomic-bert",
        "nomic-bert-moe",
        "rnd1",
        "wavtokenizer-dec",
    }
)

# Caches of their own shape, or (deepseek2 without MLA keys) a choice of the engine.
NOT_MODELLED = frozenset({"deepseek4", "glm5-next", "minimax-m3", "qwen4exp"})

KV_FROM_START = {"gemma3n": 20}  # later layers reuse the cache of earlier ones
