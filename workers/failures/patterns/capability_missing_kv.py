"""This build, or its GPU backend, lacks a KV-cache type or a pair of them.

Being listed in --help is not proof: a type can be parsed, allocated, and then have no kernel.
Wordings: llama.cpp common/arg.cpp, ggml-backend.cpp, ggml-cuda/fattn.cu, ggml-cpu;
ik_llama.cpp fattn-common.cuh and iqk_flash_attn.cpp.
"""

from functools import partial

from workers.contract.failure import FailureKind
from workers.failures.pattern import Level, pattern

_missing = partial(pattern, FailureKind.CAPABILITY_MISSING)

_TYPE = (
    "This binary does not offer that KV-cache type: drop the value for this engine, or use a "
    "build that has it."
)
_KERNEL = (
    "The type is parsed but this backend has no kernel for it: drop the value on this backend, "
    "or use a build for which it was written."
)
_PAIR = (
    "No attention kernel is compiled for this K/V pair: use equal types, or a build with "
    "GGML_CUDA_FA_ALL_QUANTS (GGML_CUDA_FA_QUANTS) or GGML_IQK_FA_ALL_QUANTS on."
)

PATTERNS = (
    _missing(
        r"(?:unsupported|invalid|unknown) (?:kv[- ])?cache[- ]type\b|invalid cache type:",
        "kv_type",
        _TYPE,
    ),
    _missing(
        r"invalid parameter for argument: (?:-ct[kv]d?\b|--cache-type-[kv])",
        "kv_type",
        _TYPE,
    ),
    _missing(r"K-cache supports only|unsupported \w+ \S+ cache type \w+", "kv_type", _TYPE),
    _missing(
        # A view of the cache (…(view)) inside the parentheses; NONE means misplaced, not missing.
        r"pre-allocated tensor \(cache_[kv]\w*(?: \(\w+\))*\) in a buffer \((?!Meta)[^\n)]*\)"
        r" that cannot run the operation \((?!NONE\))\w+\)",
        "kv_type_no_kernel",
        _KERNEL,
    ),
    _missing(
        r"(?:op not supported|unsupported op|Unsupported tensor type for)[^\n]*"
        r"(?:cache_[kv]|SET_ROWS|FLASH_ATTN)",
        "kv_type_no_kernel",
        _KERNEL,
    ),
    _missing(
        r"Unsupported KV type combination|is not a supported combination on the CPU backend"
        r"|fattn: unsupported [KV]-type|Not match KV type in vec"
        r"|unsupported (?:K/V|KV) (?:cache )?(?:type|pair|combination)",
        "kv_pair_no_kernel",
        _PAIR,
    ),
    _missing(
        r"no FlashAttention (?:vector )?kernel compiled for K/V types",
        "kv_pair_no_kernel",
        _PAIR,
        lasting=True,
    ),
    _missing(
        r"Flash ?Attention(?: without tensor cores)? only supports|Not support Flash-Attention"
        r"|no flash_attn config for DK=|Unsupported head size",
        "flash_attn",
        "This backend has no flash attention for the model's head size: use -fa off with an "
        "unquantised V cache, or another build.",
        Level.CAUSE,
    ),
)
