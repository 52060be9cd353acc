"""The claim "so many tok/s": the fresh rate is the first one, within the joint interval."""

from __future__ import annotations

from db.states import ClaimVerdict
from orchestrator.analysis.drift import change_between, percent
from orchestrator.analysis.objectives import margin_of
from orchestrator.analysis.verification.base import Case, Finding
from orchestrator.analysis.words import number, quantity
from workers.statistics.comparison import Verdict


class Agrees:
    """Refuted when the rates differ beyond noise and by more than costs nothing in practice."""

    name = "rate"
    title = "rate agrees"

    def made(self, case: Case) -> bool:
        """Every rate is a claim."""
        return bool(case.first.throughput)

    def judge(self, case: Case) -> Finding:
        """Paired by prompt, with what is known of launches from the sweep and the run."""
        first = case.first.value("tok_s") or 0.0
        fresh = case.fresh.estimates.get("tok_s")
        change = change_between(case.first.throughput, case.fresh.throughput, case.spread)
        if change is None or fresh is None:
            text = "no prompt was measured both times"
            return Finding(ClaimVerdict.UNDECIDED, text, first)
        differs = change.verdict_at(case.level) is not Verdict.TIE
        refuted = differs and abs(change.effect) > margin_of("tok_s")
        verdict = ClaimVerdict.REFUTED if refuted else ClaimVerdict.SURVIVED
        text = f"{quantity(fresh)}, {percent(change)} than the first {number('tok_s', first)} tok/s"
        return Finding(verdict, text, first, fresh.value, fresh.low, fresh.high)


CLAIM = Agrees()
