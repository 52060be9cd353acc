"""The claim "on the front": nothing that was measured beside it significantly dominates it."""

from __future__ import annotations

from db.states import ClaimVerdict
from orchestrator.analysis.dominance import dominates
from orchestrator.analysis.feasible import comparable
from orchestrator.analysis.verification.base import Case, Finding


class OnFront:
    """Refuted by a rival of the same run; those that were not measured again cannot refute it."""

    name = "front"
    title = "on the front"

    def made(self, case: Case) -> bool:
        """Whether the sweep had it on the front."""
        return case.was_member

    def judge(self, case: Case) -> Finding:
        """By the rule of the front itself, at a level shared among the rivals."""
        rivals = [rival for rival in case.rivals if comparable(rival, case.objectives)]
        if not comparable(case.fresh, case.objectives):
            missing = [name for name in case.objectives if case.fresh.value(name) is None]
            return Finding(ClaimVerdict.UNDECIDED, f"{', '.join(missing)} was not measured again")
        level = case.level / max(1, len(rivals))
        for rival in rivals:
            if dominates(rival, case.fresh, case.objectives, case.comparer, level):
                name = case.namer.name(rival.candidate)
                return Finding(ClaimVerdict.REFUTED, f"significantly dominated by {name}")
        others = f"{len(rivals)} other" + ("s" if len(rivals) != 1 else "")
        return Finding(ClaimVerdict.SURVIVED, f"not significantly dominated by {others} beside it")


CLAIM = OnFront()
