"""Recommendations under limits: for each rig, the pick of every goal, all contexts competing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.feasible import broken
from orchestrator.analysis.front import front_of
from orchestrator.analysis.goals.base import Absent, Field, Pick
from orchestrator.analysis.goals.kinds.context import CAPACITY
from orchestrator.analysis.goals.registry import all_goals
from orchestrator.analysis.limits import Exclusion, Limit, within
from orchestrator.analysis.pooling import spreads_by_rig
from orchestrator.analysis.records import Measured, State
from search_spaces.expressions import Expression
from search_spaces.metrics import Direction
from search_spaces.space import Space


@dataclass(frozen=True, slots=True)
class RigAdvice:
    """One rig's recommendations. `measured` counts complete candidates, `able` those that are
    within every limit (the space's constraints among them)."""

    rig: str
    measured: int
    able: int
    exclusions: tuple[Exclusion, ...]
    answers: tuple[Pick | Absent, ...]


def advise(
    records: Sequence[Measured], space: Space, limits: Sequence[Limit]
) -> tuple[RigAdvice, ...]:
    """Advice for each rig of derived records; without answers where nothing is within the limits.

    Where candidates differ in context, capacity is an objective beside the space's own: a short
    context would otherwise win against a long one for nothing but its memory.
    """
    spreads = spreads_by_rig(records)
    limits = [*limits, *map(_constraint, space.limits)]
    found = []
    for rig in sorted({record.rig for record in records}):
        complete = [r for r in records if r.rig == rig and r.state is State.COMPLETE]
        comparer = Comparer(complete, spreads[rig])
        able, exclusions = within(complete, limits)
        objectives = dict(space.objectives)
        if len({record.candidate.ctx for record in able}) > 1:
            objectives.setdefault(CAPACITY, Direction.MAXIMIZE)
        field = Field(able, front_of(able, objectives, comparer), comparer)
        answers = tuple(goal.choose(field) for goal in all_goals()) if able else ()
        found.append(RigAdvice(rig, len(complete), len(able), exclusions, answers))
    return tuple(found)


def _constraint(expression: Expression) -> Limit:
    """A constraint of the space as one more limit."""
    return Limit(f"constraint {expression.text}", lambda record: not broken(record, (expression,)))
