"""What certainly does not fit is not tried; what may fit is."""

from __future__ import annotations

from orchestrator.sweeping.rules.base import Ground
from search_spaces.candidate import Candidate


def fits_memory(ground: Ground, candidate: Candidate) -> str | None:
    """Weights, KV cache and state alone above the rig's memory: out, and by how much."""
    return None
