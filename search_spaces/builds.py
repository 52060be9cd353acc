"""Builds that people run, by the names that a space may use: `engines: {bee: {like: bee_early}}`.

What such a build can do is in `workers/assumed`; here is what to call it and where it comes from.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownBuild:
    """`project` is whose it is, `how` how to come by a binary, in words.

    `version` is the one whose help text stands for all of them; "" where it has none.
    """

    project: str
    how: str
    version: str = ""


BUILDS: dict[str, KnownBuild] = {
    "mainline": KnownBuild(
        "llama.cpp (ggml-org)", "take a release for CUDA, or build it with GGML_CUDA=ON", "b11434"
    ),
    "bee_04": KnownBuild(
        "BeeLlama 0.4 (Anbeeld/beellama.cpp)", "take a release of 0.4.4 or later for CUDA", "0.4.7"
    ),
    "bee_early": KnownBuild(
        "BeeLlama 0.1 to 0.3 (Anbeeld/beellama.cpp)",
        "take a release of 0.3 for CUDA, or build one with GGML_CUDA_FA_ALL_QUANTS=ON",
        "0.3.1",
    ),
    "ik_llama": KnownBuild(
        "ik_llama.cpp (ikawrakow)", "build it with GGML_CUDA=ON; it has no releases"
    ),
    "turboquant": KnownBuild(
        "llama-cpp-turboquant (TheTom)",
        "build its branch feature/turboquant-kv-cache with GGML_CUDA=ON",
        "b9079",
    ),
    "legacy": KnownBuild(
        "llama.cpp before May 2026",
        "take a release below b9131 for CUDA, or build that tag",
        "b8954",
    ),
}
