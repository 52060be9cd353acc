"""The rules, in the order in which a person would want to hear them."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.sweeping.rules.base import Excluded, Ground, Rule
from orchestrator.sweeping.rules.depth import depth_within_ctx
from orchestrator.sweeping.rules.engine import engine_usable, kv_types_known, spec_types_known
from orchestrator.sweeping.rules.known_bugs import no_known_bug
from orchestrator.sweeping.rules.memory import fits_memory
from orchestrator.sweeping.rules.models import (
    ctx_within_model,
    drafter_found,
    drafter_matches,
    model_found,
)
from search_spaces.candidate import Candidate

RULES: tuple[Rule, ...] = (
    engine_usable,
    model_found,
    drafter_found,
    drafter_matches,
    kv_types_known,
    spec_types_known,
    ctx_within_model,
    depth_within_ctx,
    no_known_bug,
    fits_memory,
)
# What each rule reads of a candidate: its verdict is one for all that agree in it. Everything
# else that it looks at (the space, the rig, the host) is the same for a whole plan.
_BUGS = ("engine", "model", "drafter", "spec", "p_min", "split_mode", "draft_device")
_CACHE_TYPES = ("kv_k", "kv_v", "draft_kv_k", "draft_kv_v")
_SIZES = ("engine", "model", "drafter", "spec", "n_max", "ctx", "ubatch")
_PLACES = ("ngl", "split_mode", "tensor_split", "n_cpu_moe", "override_tensor", "load_mode")
READS: Mapping[Rule, tuple[str, ...]] = {
    engine_usable: ("engine",),
    model_found: ("model",),
    drafter_found: ("drafter", "spec"),
    drafter_matches: ("model", "drafter"),
    kv_types_known: ("engine", *_CACHE_TYPES),
    spec_types_known: ("engine", "spec"),
    ctx_within_model: ("model", "ctx"),
    depth_within_ctx: ("ctx",),
    no_known_bug: (*_BUGS, *_CACHE_TYPES),
    fits_memory: (*_SIZES, *_CACHE_TYPES, *_PLACES),
}


def excluded(ground: Ground, candidate: Candidate) -> Excluded | None:
    """The first rule that excludes the candidate on this rig."""
    for rule in RULES:
        reason = rule(ground, candidate)
        if reason:
            return Excluded(rule.__name__, reason)
    return None
