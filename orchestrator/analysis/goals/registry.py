"""Finds every goal: each module in `orchestrator.analysis.goals.kinds` offers one as `GOAL`.

A new goal is a new file there; nothing here or in `recommend` changes.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import orchestrator.analysis.goals.kinds as kinds
from orchestrator.analysis.goals.base import Goal


@cache
def all_goals() -> tuple[Goal, ...]:
    """All goals, in the order in which people read them.

    Raises TypeError where a module offers none, or two share a key.
    """
    found: list[Goal] = []
    for module in pkgutil.iter_modules(kinds.__path__):
        goal = getattr(importlib.import_module(f"{kinds.__name__}.{module.name}"), "GOAL", None)
        if goal is None:
            raise TypeError(f"orchestrator/analysis/goals/kinds/{module.name}.py: no GOAL")
        found.append(goal)
    if len({goal.key for goal in found}) < len(found):
        raise TypeError("two goals of orchestrator/analysis/goals/kinds share a key")
    return tuple(sorted(found, key=lambda goal: goal.rank))
