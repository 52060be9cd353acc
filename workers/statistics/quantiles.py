"""Student's t, as two small functions; scipy is imported only when one is called."""

from __future__ import annotations

import math

CONFIDENCE = 0.95


def t_quantile(df: float, confidence: float = CONFIDENCE) -> float:
    """How many standard errors a two-sided interval reaches; infinite without freedom."""
    if df <= 0:
        return math.inf
    from scipy.special import stdtrit

    return float(stdtrit(df, 0.5 + confidence / 2))


def t_p_value(t: float, df: float) -> float:
    """Two-sided p-value of `t`; 1 without freedom, 0 for an infinite `t`."""
    if df <= 0 or math.isnan(t):
        return 1.0
    if math.isinf(t):
        return 0.0
    from scipy.special import stdtr

    return float(2.0 * stdtr(df, -abs(t)))


def chi2_bounds(df: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """What a sample variance is multiplied with for the interval of the true one (normal law)."""
    from scipy.special import chdtri

    tail = (1 - confidence) / 2
    return df / float(chdtri(df, tail)), df / float(chdtri(df, 1 - tail))
