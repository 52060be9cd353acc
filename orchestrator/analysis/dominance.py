"""When one candidate beats another for good: significance, with guards against both errors."""

from __future__ import annotations

import math
from collections.abc import Mapping

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.objectives import is_exact, margin_of, oriented, scale_of
from orchestrator.analysis.records import Measured
from search_spaces.metrics import Direction
from workers.statistics.comparison import SHOWN_ALPHA, Comparison, Scale, Verdict

# 5 % shared among 100 rivals. With dozens of candidates a plain 5 % test would throw out many
# that are in truth as good as the best; with this level a sweep of 8 to 24 equal candidates loses
# any of them in clearly less than 5 % of sweeps (benchmarks/false_winners.py).
DOMINANCE_ALPHA = 0.0005

Objectives = Mapping[str, Direction]


def dominates(
    b: Measured,
    a: Measured,
    objectives: Objectives,
    comparer: Comparer,
    alpha: float = DOMINANCE_ALPHA,
) -> bool:
    """Whether `b` significantly dominates `a`.

    1. In no objective is `b` worse: not significantly (at SHOWN_ALPHA), and not by more than the
       objective's practical margin when nothing is shown. (Too little data about quality must
       not let a fast candidate push a good one out.)
    2. In at least one objective `b` is significantly better (at `alpha`).
    3. What `b` gains outweighs, in margins, what it concedes inside margins. This excludes
       circles (a beats b beats c beats a), so a front always exists and is unique.

    With exact numbers this is plain Pareto dominance.
    """
    if standing(b, objectives) <= standing(a, objectives):
        return False
    if any(not no_worse(b, a, metric, way, comparer) for metric, way in objectives.items()):
        return False
    return any(
        shown(comparer.compare(b, a, metric), way, alpha) is Verdict.BETTER
        for metric, way in objectives.items()
    )


def no_worse(
    b: Measured, a: Measured, metric: str, direction: Direction, comparer: Comparer
) -> bool:
    """Whether `b` is neither shown to be worse (at SHOWN_ALPHA) nor worse beyond the margin."""
    made = comparer.compare(b, a, metric)
    if shown(made, direction, SHOWN_ALPHA) is Verdict.WORSE:
        return False
    return oriented(made.effect, direction) >= -margin_of(metric)


def standing(record: Measured, objectives: Objectives) -> tuple[float, ...]:
    """A key that a dominating candidate always has the larger of.

    Exact objectives first (there a dominating one is nowhere worse), then the sum of the others
    in units of their margins. Raises ValueError when an objective was not measured.
    """
    exact, rest = [], 0.0
    for metric, direction in objectives.items():
        value = record.value(metric)
        if value is None:
            raise ValueError(f"{metric} was not measured for trial {record.trial_id}")
        if is_exact(metric):
            exact.append(oriented(value, direction))
        else:
            rest += oriented(_score(metric, value), direction) / margin_of(metric)
    return (*exact, rest)


def _score(metric: str, value: float) -> float:
    """The value on the scale of the metric's effects."""
    relative = scale_of(metric) is not Scale.DIFFERENCE and value > 0
    return math.log(value) if relative else value


def indistinguishable(a: Measured, b: Measured, objectives: Objectives, comparer: Comparer) -> bool:
    """Whether no objective shows a difference (at DOMINANCE_ALPHA)."""
    return all(
        comparer.compare(a, b, metric).verdict_at(DOMINANCE_ALPHA) is Verdict.TIE
        for metric in objectives
    )


def shown(made: Comparison, direction: Direction, alpha: float) -> Verdict:
    """The verdict in the direction that the space asks for, which may not be the usual one."""
    verdict = made.verdict_at(alpha)
    if verdict is Verdict.TIE or direction is made.direction:
        return verdict
    return Verdict.WORSE if verdict is Verdict.BETTER else Verdict.BETTER
