"""Maximum speed."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.analysis.goals.base import Absent, Field, Pick
from orchestrator.analysis.goals.choosing import best_of
from orchestrator.analysis.objectives import first_of
from search_spaces.metrics import Direction, Facet

SPEED = "tok_s"


def speed_metric(objectives: Mapping[str, Direction]) -> str | None:
    """The first objective that measures speed to be maximised; at depth where only that is one."""
    shallow = first_of(objectives, (Facet.THROUGHPUT,), Direction.MAXIMIZE)
    deep = objectives.get("tok_s_deep") is Direction.MAXIMIZE
    return shallow or ("tok_s_deep" if deep else None)


def speed_of(field: Field) -> str:
    """The objective that speed is judged by; tok/s where a space has none."""
    return speed_metric(field.front.objectives) or SPEED


class Speed:
    """The highest rate."""

    key = "fastest"
    title = "Maximum speed"
    rank = 1

    def choose(self, field: Field) -> Pick | Absent:
        """By the space's objective of speed."""
        metric = speed_of(field)
        records = field.with_metric(metric)
        why = f"the highest {metric} of {field.crowd(metric)}"
        return best_of(self, records, metric, field, why, f"{metric} was not measured")


GOAL = Speed()
