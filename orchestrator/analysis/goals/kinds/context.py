"""Longest context."""

from __future__ import annotations

from orchestrator.analysis.goals.base import Absent, Field, Pick
from orchestrator.analysis.goals.choosing import ordered, picked

CAPACITY = "ctx"


class Context:
    """The largest context capacity; among equals, the best of the first objective.

    A capacity that was launched and answered with; how far a recipe filled it is the recipe's.
    """

    key = "longest"
    title = "Longest context"
    rank = 3

    def choose(self, field: Field) -> Pick | Absent:
        """Compared with the best of the next smaller capacity."""
        sizes = sorted({record.candidate.ctx for record in field.records})
        if not sizes:
            return Absent(self.key, self.title, "nothing was measured")
        if len(sizes) == 1:
            reason = f"no difference: all have a context of {sizes[0]:,} tokens"
            return Absent(self.key, self.title, reason)
        goals = [metric for metric in field.front.objectives if metric != CAPACITY]
        by = goals[0] if goals else CAPACITY
        first, second = (
            ordered((r for r in field.records if r.candidate.ctx == size), by, field)[0]
            for size in (sizes[-1], sizes[-2])
        )
        why = f"the largest capacity of {len(sizes)} measured; of those that have it, the best {by}"
        return picked(self, first, second, (CAPACITY,), field, why)


GOAL = Context()
