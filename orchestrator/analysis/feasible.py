"""Which records may stand on a front: complete, all objectives known, no constraint broken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from orchestrator.analysis.records import Measured, State
from search_spaces.expressions import Expression
from search_spaces.metrics import METRICS
from search_spaces.space import Space
from search_spaces.walk import names_of


def names_for(record: Measured) -> dict[str, Any]:
    """What a constraint sees: parameters, metrics and facts of the rig (None when unknown)."""
    names = names_of(record.candidate.as_dict())
    names.update({metric: record.value(metric) for metric in METRICS})
    names["rig"] = record.hardware
    return names


def broken(record: Measured, limits: Iterable[Expression]) -> tuple[str, ...]:
    """The constraints that do not hold; one over a metric that is unknown does not hold."""
    names = names_for(record)
    return tuple(
        limit.text
        for limit in limits
        if any(read in METRICS and names[read] is None for read in limit.names)
        or not limit.true(names)
    )


def comparable(record: Measured, objectives: Mapping[str, Any]) -> bool:
    """Whether the record is complete and every objective is known."""
    return record.state is State.COMPLETE and all(
        record.value(metric) is not None for metric in objectives
    )


def contenders(records: Iterable[Measured], space: Space) -> tuple[Measured, ...]:
    """The records that may stand on a front of this space."""
    limits = space.limits
    return tuple(
        record
        for record in records
        if comparable(record, space.objectives) and not (limits and broken(record, limits))
    )
