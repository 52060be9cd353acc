"""A sweep's result as JSON, for programs."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

from db.rows import SweepRow
from orchestrator.analysis.front import Placed
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.summary import GroupSummary, Summary
from workers.contract.outcome import Estimate


def print_json(row: SweepRow, summary: Summary) -> None:
    """One object on standard output; `front` is the list of candidates on the fronts."""
    print(json.dumps(as_json(row, summary), indent=2, ensure_ascii=False, allow_nan=False))


def as_json(row: SweepRow, summary: Summary) -> dict[str, object]:
    """The sweep's result as plain data."""
    return {
        "sweep": row.key,
        "name": row.name,
        "objectives": {name: way.value for name, way in row.space.objectives.items()},
        "simulated": summary.simulated,
        "front": [
            candidate(place.record)
            | {"place": place.level.value, "ties": list(_keys(group, place))}
            for group in summary.groups
            for place in group.front.placed
            if place.is_member
        ],
        "picks": {
            group.title: {pick.key: pick.record.candidate.asked_key for pick in group.picks}
            for group in summary.groups
        },
        "summary": [sentence for group in summary.groups for sentence in group.sentences],
        "measured": [candidate(r) for r in summary.records if r.state is State.COMPLETE],
        "failed": [
            candidate(r) | {"failure": asdict(r.failure) if r.failure else None}
            for r in summary.records
            if r.state is State.FAILED
        ],
    }


def _keys(group: GroupSummary, place: Placed) -> list[str]:
    by_id = {record.trial_id: record.candidate.asked_key for record in group.records}
    return [by_id[trial] for trial in place.ties]


def candidate(record: Measured) -> dict[str, object]:
    """One candidate with its numbers and their intervals."""
    return {
        "key": record.candidate.asked_key,
        "rig": record.rig,
        "candidate": record.candidate.as_dict(),
        "engine_build": record.engine_label,
        "baseline": record.is_baseline,
        "flags": list(record.flags),
        "verified": record.verified,
        "metrics": {name: _numbers(e) for name, e in record.estimates.items()},
    }


def _numbers(estimate: Estimate) -> dict[str, float | int | None]:
    """JSON has neither NaN nor infinity: such a number is written as null."""
    parts = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    finite = {k: v if v is not None and math.isfinite(v) else None for k, v in parts.items()}
    return {**finite, "n": estimate.n}
