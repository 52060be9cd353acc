"""Launches to look for bugs in: one on a card, one on two, with nothing special about them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from search_spaces.candidate import Candidate
from tests.support.model_headers import make_header
from tests.workers.facets.bench import CARD, CPU, GPU
from workers.contract.model_header import DraftKeys, ModelHeader
from workers.contract.reports import Build, Capabilities, EngineReport, RigReport
from workers.known_bugs.case import Case

PAIR = replace(GPU, name="pair", cards=(CARD, replace(CARD, index=1, uuid="GPU-1")))
PLAIN = Candidate(model="target.gguf", engine="mine")
DFLASH = replace(PLAIN, spec="draft-dflash", drafter="drafter.gguf", n_max=4)

LLAMA = make_header("llama")
HYBRID = make_header("qwen35", keys={"full_attention_interval": 4, "ssm.conv_kernel": 4})
DRAFTER = replace(LLAMA, architecture="dflash", draft=DraftKeys((1, 2)))
DRAFTER_2 = replace(DRAFTER, draft=DraftKeys((1, 2), selector_top_k=16))

__all__ = ["CPU", "GPU"]


def engine(
    build: int | str = 11_434, dialect: str = "mainline", fa_pairs: tuple[str, ...] | None = None
) -> EngineReport:
    """An engine with a build number, or with another label."""
    label = f"0.5.0-dev (build {build}, commit 0c1e57098)" if isinstance(build, int) else build
    able = Capabilities(dialect, ("f16",), ("f16",), ("none",), fa_pairs=fa_pairs)
    builds = (
        Build("server", f"llama-server {label}", "5e" * 32, "/e/s"),
        Build("logits", f"llama-perplexity {label}", "10" * 32, "/e/p"),
    )
    return EngineReport("mine", "llama_server", builds, able)


def case(
    candidate: Candidate = PLAIN,
    build: int | str = 11_434,
    *,
    dialect: str = "mainline",
    rig: RigReport = GPU,
    target: ModelHeader | None = LLAMA,
    drafter: ModelHeader | None = DRAFTER,
    fa_pairs: tuple[str, ...] | None = ("all",),
    **changes: Any,
) -> Case:
    """A launch; `changes` are settings of the candidate."""
    candidate = replace(candidate, **changes)
    return Case(
        candidate,
        engine(build, dialect, fa_pairs),
        rig,
        target,
        drafter if candidate.drafter else None,
    )
