"""Throughput estimates with 95 % intervals from repeated passes over repeated launches.

The unit of repetition is the launch. A launch's value already contains the noise of its passes,
so the variance between launches contains both sources, whatever their sizes and however the
passes of one launch resemble one another (clocks, memory placement, page cache):

    score_l = log(rate of launch l),   interval = rate x exp(+- t_df s / sqrt(launches))

Without a `spread` this is the textbook interval: right for any mixture of pass and launch noise
(measured: benchmarks/coverage.py), and wide for two launches because two launches know little.
With the rig's pooled `spread` (see spread.py) it is about four times narrower for two launches.
What it assumes: launches are independent and roughly log-normal. Not covered: a drift of the rig
during the sweep (the baseline is measured again to see it), and prompts other than the suite's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from workers.contract.outcome import Estimate, Sample
from workers.statistics.launches import Launches, by_launch
from workers.statistics.quantiles import CONFIDENCE, t_quantile
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import Spread, moderate


def estimate(
    metric: str,
    samples: Sequence[Sample],
    spread: Spread | None = None,
    confidence: float = CONFIDENCE,
) -> Estimate | None:
    """One metric of RATIOS from raw requests; None when they did not record it.

    `low` and `high` are None for a single launch without a `spread`: passes of one launch cannot
    say how far launches differ. Raises KeyError for a metric that is not a ratio.
    """
    launches = by_launch(samples, RATIOS[metric])
    return None if launches is None else of_launches(launches, spread, confidence)


def estimates(
    samples: Sequence[Sample], spreads: dict[str, Spread] | None = None
) -> tuple[Estimate, ...]:
    """Every metric of RATIOS that the samples recorded; `spreads` by metric, where known."""
    spreads = spreads or {}
    made = (estimate(metric, samples, spreads.get(metric)) for metric in RATIOS)
    return tuple(one for one in made if one is not None)


def of_launches(
    launches: Launches, spread: Spread | None = None, confidence: float = CONFIDENCE
) -> Estimate:
    """The estimate from launches that are already summarised; `n` counts requests."""
    scores = launches.scores
    metric, value = launches.ratio.metric, launches.total
    between = moderate(scores, spread)
    if between.df <= 0:
        return Estimate(metric, value, n=launches.requests)
    half = t_quantile(between.df, confidence) * math.sqrt(between.variance / len(scores))
    if launches.ratio.relative:
        low, high = value * math.exp(-half), value * math.exp(min(half, 50.0))
    else:
        low, high = max(value - half, 0.0), min(value + half, 1.0)
    return Estimate(metric, value, low, high, launches.requests)


def relative_half_width(estimate: Estimate) -> float | None:
    """Half the interval as a share of the value; None without an interval."""
    if estimate.low is None or estimate.high is None or not estimate.value:
        return None
    return (estimate.high - estimate.low) / 2 / abs(estimate.value)
