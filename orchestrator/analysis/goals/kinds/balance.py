"""Best balance: the knee of the front."""

from __future__ import annotations

from orchestrator.analysis.goals.base import Absent, Field, Pick
from orchestrator.analysis.goals.choosing import picked
from orchestrator.analysis.knee import by_balance


class Balance:
    """The leader of the front that is nearest to what would be best in every objective."""

    key = "best"
    title = "Best balance"
    rank = 0

    def choose(self, field: Field) -> Pick | Absent:
        """Compared with the next nearest, in every objective."""
        objectives = field.front.objectives
        found = by_balance(field.front.leaders, objectives)
        names = ", ".join(objectives)
        if not found:
            return Absent(self.key, self.title, f"no candidate has all of the objectives ({names})")
        why = f"of {len(found)} on the front nearest to the best of each objective ({names})"
        if len(found) == 1:
            why = f"no other candidate beats it in any objective ({names})"
        second = found[1] if found[1:] else None
        return picked(self, found[0], second, tuple(objectives), field, why)


GOAL = Balance()
