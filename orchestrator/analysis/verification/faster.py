"""The claim "faster than its baseline by at least ...": the low end of the sweep's speed-up."""

from __future__ import annotations

import math

from db.states import ClaimVerdict
from orchestrator.analysis.verification.base import Case, Finding
from orchestrator.analysis.words import number
from workers.statistics.comparison import Comparison, Verdict


class Faster:
    """Survives when the candidate is shown to be faster, and not shown to miss what was claimed."""

    name = "faster"
    title = "faster than the baseline"

    def made(self, case: Case) -> bool:
        """Whether the sweep showed a speed-up; a baseline has none over itself."""
        return not case.first.is_baseline and (_claimed(case) or 0.0) > 1.0

    def judge(self, case: Case) -> Finding:
        """Paired by prompt against the baseline's fresh launches."""
        claimed = _claimed(case) or 1.0
        if case.baseline is None:
            text = "the baseline could not be measured again, so a speed-up cannot be stated"
            return Finding(ClaimVerdict.UNDECIDED, text, claimed)
        found = case.comparer.compare(case.fresh, case.baseline, "tok_s")
        least = math.log(claimed)
        said = f"{_ratio(found)}, at least {number('speedup', claimed)}× was claimed"
        if found.effect < least and found.p_of(least) < case.level:
            return _finding(ClaimVerdict.REFUTED, f"only {said}", claimed, found)
        if found.verdict is Verdict.BETTER:
            return _finding(ClaimVerdict.SURVIVED, said, claimed, found)
        text = f"not shown to be faster: {said}"
        return _finding(ClaimVerdict.UNDECIDED, text, claimed, found)


def _claimed(case: Case) -> float | None:
    speedup = case.first.estimates.get("speedup")
    return speedup.low if speedup is not None else None


def _ratio(found: Comparison) -> str:
    text = f"{number('speedup', found.value)}× the baseline"
    if found.low is None or found.high is None:
        return text
    return f"{text} ({number('speedup', found.low)} to {number('speedup', found.high)})"


def _finding(verdict: ClaimVerdict, text: str, claimed: float, found: Comparison) -> Finding:
    return Finding(verdict, text, claimed, found.value, found.low, found.high)


CLAIM = Faster()
