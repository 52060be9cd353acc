"""A depth that the candidate's context cannot hold is not tried."""

from __future__ import annotations

from orchestrator.sweeping.rules.base import Ground
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet


def depth_within_ctx(ground: Ground, candidate: Candidate) -> str | None:
    """A number of tokens that leaves no room for the answer in this ctx."""
    if Facet.DEPTH not in ground.space.facets:
        return None
    recipe = ground.space.measure.depth
    deepest = max(recipe.tokens(candidate.ctx).values())
    if deepest <= recipe.room(candidate.ctx):
        return None
    return f"a depth of {deepest:,} tokens and the answer do not fit a ctx of {candidate.ctx:,}"
