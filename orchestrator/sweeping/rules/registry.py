"""The rules, in the order in which a person would want to hear them."""

from __future__ import annotations

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


def excluded(ground: Ground, candidate: Candidate) -> Excluded | None:
    """The first rule that excludes the candidate on this rig."""
    for rule in RULES:
        reason = rule(ground, candidate)
        if reason:
            return Excluded(rule.__name__, reason)
    return None
