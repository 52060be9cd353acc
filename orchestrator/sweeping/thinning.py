"""Which of many ended trials the sampler goes on with: the best, and an even part of the others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import optuna

_ROUND = 1_000  # trials that are compared with each other at once: a square of that many


def thinned(
    trials: Sequence[optuna.trial.FrozenTrial],
    directions: Sequence[optuna.study.StudyDirection],
    keep: int,
    best: int,
    rng: random.Random,
) -> list[optuna.trial.FrozenTrial]:
    """At most `keep` of the trials in their order, the `best` ones among them."""
    if len(trials) <= keep:
        return list(trials)
    left = list(trials)
    while len(left) > _ROUND:
        rounds = (left[i : i + _ROUND] for i in range(0, len(left), _ROUND))
        left = [trial for some in rounds for trial in _best(some, directions, best)]
    chosen = {trial.number for trial in _best(left, directions, best)}
    others = [trial.number for trial in trials if trial.number not in chosen]
    chosen.update(rng.sample(others, keep - best))
    return [trial for trial in trials if trial.number in chosen]


def _best(
    trials: Sequence[optuna.trial.FrozenTrial],
    directions: Sequence[optuna.study.StudyDirection],
    count: int,
) -> list[optuna.trial.FrozenTrial]:
    """Those that the fewest others dominate; what breaks a limit comes after what breaks none."""
    import numpy as np
    import optuna

    maximize = optuna.study.StudyDirection.MAXIMIZE
    sign = [-1.0 if way is maximize else 1.0 for way in directions]
    losses = np.array([trial.values for trial in trials]) * sign
    no_better = (losses[:, None] >= losses[None]).all(axis=2)
    beaten_by = (no_better & ~no_better.T).sum(axis=1)
    broken = [sum(max(0.0, v) for v in trial.constraints.values()) for trial in trials]
    order = np.lexsort((beaten_by, broken))
    return [trials[at] for at in order[:count]]
