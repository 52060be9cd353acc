"""The K/V pairs that a GPU build has flash attention kernels for."""

from __future__ import annotations

import re

ALL = ("all",)
# GGML_CUDA_FA_QUANTS when it is not set, in llama.cpp's ggml/CMakeLists.txt; before that option
# came, a build without GGML_CUDA_FA_ALL_QUANTS had the same ones.
DEFAULT = ("f16-f16", "bf16-bf16", "q8_0-q8_0", "q4_0-q4_0")

_CUDA = re.compile(r"system_info:.*\bCUDA : (?P<features>.*)")
_LIST = re.compile(r"\bFA_QUANTS = (?P<pairs>[^|]+)")


def attention_pairs(said: str) -> tuple[str, ...] | None:
    """Pairs as `K-V`, ALL for every one, None where the text does not tell.

    `said` is what a server prints before it loads a model: its system_info names the features of
    the CUDA backend (`FA_ALL_QUANTS = 1`, or `FA_QUANTS = q8_0-q5_1;...`). A pair without a
    kernel is converted to f16 at every step, or computed on the CPU: slow, and not an error.
    """
    line = _CUDA.search(said)
    if line is None:
        return None
    features = line["features"]
    if "FA_ALL_QUANTS = 1" in features:
        return ALL
    named = _LIST.search(features)
    if named is None:
        return DEFAULT
    pairs = [pair.strip() for pair in re.split("[;,]", named["pairs"]) if pair.strip()]
    return ALL if pairs == ["all"] else tuple(pairs)
