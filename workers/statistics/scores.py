"""The mean score of generated programs, with an interval from repeating every task."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from workers.contract.outcome import Estimate, Sample
from workers.statistics.quantiles import CONFIDENCE, t_quantile

BEST = 3.0


def quality(samples: Sequence[Sample], confidence: float = CONFIDENCE) -> Estimate:
    """Mean over tasks of each task's mean score, 0 to 3; `n` counts programs.

    Tasks are fixed, as prompts are: the interval comes from repetitions within tasks (t, pooled
    over tasks). Scores are a few whole numbers and often all equal, where that alone would claim
    certainty. So it is at least as wide as what `n` programs cannot exclude: an outcome that never
    showed may have a share of up to 1 - 0.05^(1/n), and may be the other end of the scale. There
    is no interval without a repetition. Raises ValueError without samples.
    """
    by_task = defaultdict(list)
    for sample in samples:
        by_task[sample.label].append(sample.values["score"])
    if not by_task:
        raise ValueError("no program was scored")
    means = [sum(scores) / len(scores) for scores in by_task.values()]
    mean = sum(means) / len(means)
    df = sum(len(scores) - 1 for scores in by_task.values())
    if df == 0:
        return Estimate("quality_score", mean, n=len(samples))
    squares = [
        sum((score - task_mean) ** 2 for score in scores)
        for scores, task_mean in zip(by_task.values(), means, strict=True)
    ]
    pooled = sum(squares) / df
    se = math.sqrt(sum(pooled / len(scores) for scores in by_task.values())) / len(means)
    unseen = BEST * (1 - (1 - confidence) ** (1 / len(samples)))
    half = max(t_quantile(df, confidence) * se, unseen)
    return Estimate(
        "quality_score", mean, max(0.0, mean - half), min(BEST, mean + half), len(samples)
    )
