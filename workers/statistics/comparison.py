"""A comparison of two candidates in one metric: by how much, how surely, and in which words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from search_spaces.metrics import Direction
from workers.statistics.quantiles import t_p_value, t_quantile

# A shade under the 5 % that equal candidates may differ by chance: noise has heavier tails than
# the normal law behind p-values, and the promise is "at most 5 %".
SHOWN_ALPHA = 0.04


class Verdict(StrEnum):
    """How the first candidate stands against the second."""

    BETTER = "better"
    WORSE = "worse"
    TIE = "tie"  # no difference shown; not the same as "shown to be equal"


class Scale(StrEnum):
    """How an effect is read: `ratio` is exp(effect), `percent` 100 (exp(effect) - 1)."""

    RATIO = "ratio"
    PERCENT = "percent"
    DIFFERENCE = "difference"

    def read(self, effect: float) -> float:
        """The effect in the unit people see."""
        match self:
            case Scale.RATIO:
                return math.exp(min(effect, 700.0))
            case Scale.PERCENT:
                return 100.0 * math.expm1(min(effect, 700.0))
            case Scale.DIFFERENCE:
                return effect


@dataclass(frozen=True, slots=True)
class Comparison:
    """First against second. `value`, `low`, `high` are on `scale`, `effect` is what was tested,
    `se` and `df` are its standard error and degrees of freedom.

    `p` is the two-sided p-value of "no difference" (1 when nothing can be shown); a |effect|
    not above `floor` is never called a difference. `note` says why there is no interval.
    """

    metric: str
    scale: Scale
    value: float
    low: float | None
    high: float | None
    effect: float
    p: float
    direction: Direction
    floor: float = 0.0
    note: str = ""
    se: float | None = None
    df: float = 0.0

    def p_of(self, effect: float) -> float:
        """Two-sided p-value of "the true effect is `effect`"; 1 when nothing can be shown."""
        if self.se is None or effect == self.effect:
            return 1.0
        return t_p_value((self.effect - effect) / self.se if self.se > 0 else math.inf, self.df)

    @property
    def verdict(self) -> Verdict:
        """At SHOWN_ALPHA; `low`..`high` then excludes equality."""
        return self.verdict_at(SHOWN_ALPHA)

    def verdict_at(self, alpha: float) -> Verdict:
        """The verdict at another level, for example 5 % shared among many comparisons."""
        if self.p >= alpha or abs(self.effect) <= self.floor:
            return Verdict.TIE
        up = (self.effect > 0) == (self.direction is Direction.MAXIMIZE)
        return Verdict.BETTER if up else Verdict.WORSE


def compare_effect(
    metric: str,
    effect: float,
    se: float | None,
    df: float,
    *,
    scale: Scale,
    direction: Direction,
    floor: float = 0.0,
    note: str = "",
) -> Comparison:
    """A comparison from an effect, its standard error and degrees of freedom.

    Without a standard error the verdict is a tie, whatever the effect: nothing is shown.
    """
    if se is None or df <= 0:
        return Comparison(
            metric, scale, scale.read(effect), None, None, effect, 1.0, direction, floor, note
        )
    half = t_quantile(df) * se
    t = effect / se if se > 0 else (math.inf if effect else 0.0)
    return Comparison(
        metric,
        scale,
        scale.read(effect),
        scale.read(effect - half),
        scale.read(effect + half),
        effect,
        t_p_value(t, df) if effect else 1.0,
        direction,
        floor,
        note,
        se,
        df,
    )
