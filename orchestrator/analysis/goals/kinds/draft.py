"""Best with a draft: told also where speculation loses, because that is a result."""

from __future__ import annotations

from orchestrator.analysis.goals.base import Absent, Field, Pick
from orchestrator.analysis.goals.choosing import best_of
from orchestrator.analysis.goals.kinds.speed import speed_of


class Draft:
    """The fastest candidate that speculates, on the front or not."""

    key = "draft"
    title = "Best with a draft"
    rank = 5

    def choose(self, field: Field) -> Pick | Absent:
        """Compared with the next fastest draft."""
        metric = speed_of(field)
        able = [place.record for place in field.front.placed] or field.records
        drafting = [r for r in able if r.candidate.drafts and r.value(metric) is not None]
        why = f"the highest {metric} of {len(drafting)} that speculate"
        return best_of(self, drafting, metric, field, why, "no candidate speculates")


GOAL = Draft()
