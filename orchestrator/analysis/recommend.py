"""What to use: a few picks from a front, each with its runner-up and whether it shows a lead."""

from __future__ import annotations

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.front import Front
from orchestrator.analysis.goals.base import Field, Pick
from orchestrator.analysis.goals.kinds.speed import speed_metric
from orchestrator.analysis.goals.registry import all_goals

__all__ = ["Pick", "recommend", "speed_metric"]


def recommend(front: Front, comparer: Comparer) -> tuple[Pick, ...]:
    """The pick of every goal that a front can answer, in the order of the goals."""
    field = Field(tuple(place.record for place in front.placed), front, comparer)
    chosen = (goal.choose(field) for goal in all_goals())
    return tuple(pick for pick in chosen if isinstance(pick, Pick))
