"""How far launches of one configuration differ, learnt from many configurations of one rig.

Two launches alone say almost nothing about how far launches differ (one degree of freedom: the
95 % interval is 12.7 standard errors wide). But every candidate of a sweep is launched on the
same rig, so their launch-to-launch variances are pooled and each candidate's own variance is
moderated by the pool:

    s~^2 = (d0 s0^2 + d s^2) / (d0 + d),   t with d0 + d degrees of freedom

(G. K. Smyth, "Linear models and empirical Bayes methods", 2004). s0^2 is the pooled variance,
and d0, how much the pool is trusted, is capped at 12: that allows for candidates whose true
spreads differ by about a fifth. What it assumes: relative spread is a property of the rig more
than of the candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

TRUST_CAP = 12.0
_MEDIAN_CHI2 = {1: 0.4549, 2: 0.6931, 3: 0.7887}  # median of chi^2(d) / d; near 1 above
_ODD = 20.0  # a variance this many times the typical one is a disturbance, not the rig


@dataclass(frozen=True, slots=True)
class Spread:
    """A pooled variance between launches (on the score scale) and its degrees of freedom."""

    variance: float
    df: float

    @property
    def trusted_df(self) -> float:
        """What the pool counts for beside a candidate's own launches."""
        return min(self.df, TRUST_CAP)


@dataclass(frozen=True, slots=True)
class Moderated:
    """The variance of one launch's score and the degrees of freedom behind it."""

    variance: float
    df: float


def own(scores: Sequence[float]) -> Moderated:
    """The sample variance between launches; no freedom with a single launch."""
    n = len(scores)
    if n < 2:
        return Moderated(0.0, 0.0)
    mean = sum(scores) / n
    return Moderated(sum((score - mean) ** 2 for score in scores) / (n - 1), n - 1.0)


def pool(groups: Iterable[Sequence[float]]) -> Spread | None:
    """The spread of a rig from the launch scores of its candidates; None without repetitions.

    A candidate whose launches disagree more than fourfold beyond the typical (something else
    ran on the rig) is left out of the pool; its own interval still shows the disagreement.
    """
    parts = [part for part in map(own, groups) if part.df > 0]
    if not parts:
        return None
    scaled = sorted(part.variance / _MEDIAN_CHI2.get(int(part.df), 1.0) for part in parts)
    typical = scaled[len(scaled) // 2]
    kept = [p for p in parts if p.variance <= _ODD * typical] or parts
    df = sum(part.df for part in kept)
    return Spread(sum(part.variance * part.df for part in kept) / df, df)


def moderate(scores: Sequence[float], spread: Spread | None) -> Moderated:
    """The variance of one launch, from these launches and, if given, from the rig's pool."""
    mine = own(scores)
    if spread is None:
        return mine
    trust = spread.trusted_df
    df = trust + mine.df
    variance = (trust * spread.variance + mine.df * mine.variance) / df
    # The pool holds these launches too: together they know no more than all launches do.
    return Moderated(variance, min(df, max(spread.df, mine.df)))
