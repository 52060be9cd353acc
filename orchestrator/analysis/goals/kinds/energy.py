"""Lowest energy."""

from __future__ import annotations

from orchestrator.analysis.goals.base import Absent, Field, Pick
from orchestrator.analysis.goals.choosing import best_of
from workers.contract.reports import RigKind

ENERGY = "joules_per_token"


class Energy:
    """The fewest joules per generated token, as the cards' own meters tell."""

    key = "frugal"
    title = "Lowest energy"
    rank = 4

    def choose(self, field: Field) -> Pick | Absent:
        """Absent on a CPU, which tells ordinary users no power."""
        records = field.with_metric(ENERGY)
        on_cpu = any(record.rig_kind is RigKind.CPU for record in field.records)
        why_not = "a CPU rig does not tell its power" if on_cpu else "the rig told no power"
        none = f"energy was not measured: {why_not}"
        why = f"the fewest joules per token of {field.crowd(ENERGY)}"
        return best_of(self, records, ENERGY, field, why, none)


GOAL = Energy()
