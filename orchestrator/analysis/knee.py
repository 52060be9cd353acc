"""The best balance of a front: nearest to the point that would be best in everything."""

from __future__ import annotations

import math
from collections.abc import Sequence

from orchestrator.analysis.dominance import Objectives
from orchestrator.analysis.objectives import oriented
from orchestrator.analysis.records import Measured


def by_balance(members: Sequence[Measured], objectives: Objectives) -> tuple[Measured, ...]:
    """The members, best balance first.

    Every objective is scaled to 0 (best of the members) .. 1 (worst of them); the order is that
    of the Euclidean distance to the ideal point, then of the trial id. An objective in which all
    are equal does not count.
    """
    columns = {
        metric: {m.trial_id: oriented(m.value(metric) or 0.0, way) for m in members}
        for metric, way in objectives.items()
    }

    def distance(record: Measured) -> float:
        shares = []
        for values in columns.values():
            best, worst = max(values.values()), min(values.values())
            if best > worst:
                shares.append((best - values[record.trial_id]) / (best - worst))
        return math.hypot(*shares)

    return tuple(sorted(members, key=lambda m: (distance(m), m.trial_id)))


def knee(members: Sequence[Measured], objectives: Objectives) -> Measured | None:
    """The member with the best balance; None of an empty front."""
    return next(iter(by_balance(members, objectives)), None)
