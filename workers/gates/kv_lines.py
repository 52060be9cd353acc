"""The lines in which builds say which types their KV cache has, in five wordings.

Mainline since June 2025   llama_kv_cache: size = .. (.. cells, .. layers, ..), K (q8_0): .., V ..
mainline before, old forks KV self size  = .. MiB, K (f16): .. MiB, V (f16): .. MiB
ik_llama.cpp, MLA          KV self size  = .. MiB, c^KV (q8_0): .. MiB, kv^T: not used
ik_llama.cpp, K only       KV self size = .. MiB, K-only (q8_0): .. MiB; independent V-cache: ..
BeeLlama 0.4, KVarN        type = kvarn_k4v3_g128, layers = .., .. KVarN = .. MiB, ..
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MIB = r":\s*(\d+(?:\.\d+)?)\s*MiB"
_K_AND_V = re.compile(
    rf"\bK(?:-only)? \((?P<k>\w+)\){_MIB}(?:, V \((?P<v>\w+)\){_MIB})?", re.IGNORECASE
)
_LATENT = re.compile(rf"c\^KV \((?P<k>\w+)\){_MIB}")
_KVARN = re.compile(
    r"type = kvarn_k(?P<k>\d+)v(?P<v>\d+)_g\d+,.*?KVarN = (?P<mib>\d+(?:\.\d+)?) MiB"
)


@dataclass(frozen=True, slots=True)
class KvAllocation:
    """One cache as allocated: its types (None where that half has no cache) and size in MiB."""

    k: str
    v: str | None
    mib: float


def kv_allocations(log: str) -> list[KvAllocation]:
    """Every cache that a part of a log announces, in order, empty ones left out.

    An empty one is no news: KVarN keeps its bookkeeping in an ordinary cache of no layers, which
    announces itself as `K (f16): 0.00 MiB` and would pass for f16.
    """
    found: list[tuple[int, KvAllocation]] = []
    for match in _K_AND_V.finditer(log):
        k_mib, v_mib = float(match[2]), float(match[4] or 0.0)
        v = match["v"] if v_mib > 0 else None
        found.append((match.start(), KvAllocation(match["k"], v, k_mib + v_mib)))
    for match in _LATENT.finditer(log):
        found.append((match.start(), KvAllocation(match["k"], None, float(match[2]))))
    for match in _KVARN.finditer(log):
        pair = f"kvarn{match['k']}", f"kvarn{match['v']}"
        found.append((match.start(), KvAllocation(*pair, float(match["mib"]))))
    return [cache for _, cache in sorted(found, key=lambda item: item[0]) if cache.mib > 0]


def other_types(caches: list[KvAllocation], kv_k: str, kv_v: str) -> dict[str, str]:
    """Which of `k` and `v` got another type than asked, with the type that the most memory has.

    Models with sliding windows have two caches; the larger one is what a user asked about.
    """
    largest_first = sorted(caches, key=lambda cache: -cache.mib)
    differing: dict[str, str] = {}
    for cache in largest_first:
        if cache.k.lower() != kv_k.lower():
            differing.setdefault("k", cache.k)
        if cache.v is not None and cache.v.lower() != kv_v.lower():
            differing.setdefault("v", cache.v)
    return differing
