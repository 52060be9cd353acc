"""What goals share: an order by a metric, and a pick with its comparison to the runner-up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from orchestrator.analysis.dominance import shown
from orchestrator.analysis.goals.base import Absent, Field, Goal, Pick
from orchestrator.analysis.objectives import direction_of, oriented
from orchestrator.analysis.records import Measured
from search_spaces.metrics import Direction
from workers.statistics.comparison import SHOWN_ALPHA, Verdict


def way(field: Field, metric: str) -> Direction:
    """The direction that the space asks for, else the metric's own."""
    return field.front.objectives.get(metric) or direction_of(metric)


def ordered(records: Iterable[Measured], metric: str, field: Field) -> list[Measured]:
    """Best of the metric first; equals by the objectives, and then in the order measured."""
    metrics = [metric, *(name for name in field.front.objectives if name != metric)]

    def key(record: Measured) -> tuple[float, ...]:
        scores = (_score(record, name, field) for name in metrics)
        return (*(-score for score in scores), record.trial_id)

    return sorted(records, key=key)


def _score(record: Measured, metric: str, field: Field) -> float:
    """More is better; what was not measured comes last."""
    value = record.value(metric)
    return float("-inf") if value is None else oriented(value, way(field, metric))


def picked(
    goal: Goal,
    first: Measured,
    second: Measured | None,
    about: Sequence[str],
    field: Field,
    why: str,
) -> Pick:
    """A pick, compared with the runner-up in what it is about and in every objective."""
    if second is None:
        return Pick(goal.key, goal.title, first, about=tuple(about), why=why)
    metrics = dict.fromkeys((*about, *field.front.objectives))
    against = {
        metric: field.comparer.compare(first, second, metric)
        for metric in metrics
        if first.value(metric) is not None and second.value(metric) is not None
    }
    lead = any(
        shown(against[metric], way(field, metric), SHOWN_ALPHA) is Verdict.BETTER
        for metric in about
        if metric in against
    )
    made = tuple(against.values())
    return Pick(goal.key, goal.title, first, second, made, lead, tuple(about), why)


def best_of(
    goal: Goal, records: Iterable[Measured], metric: str, field: Field, why: str, none: str
) -> Pick | Absent:
    """The best of a metric with the next behind it; Absent with `none` where there is no record."""
    found = ordered(records, metric, field)
    if not found:
        return Absent(goal.key, goal.title, none)
    return picked(goal, found[0], found[1] if found[1:] else None, (metric,), field, why)
