"""A sweep's result as JSON, for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from db.rows import SweepRow
from orchestrator.analysis.drift import RigDrift
from orchestrator.analysis.front import Placed
from orchestrator.analysis.plain import candidate
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.summary import GroupSummary, Summary


def print_json(row: SweepRow, summary: Summary) -> None:
    """One object on standard output; `front` is the list of candidates on the fronts."""
    print(json.dumps(as_json(row, summary), indent=2, ensure_ascii=False, allow_nan=False))


def as_json(row: SweepRow, summary: Summary) -> dict[str, object]:
    """The sweep's result as plain data."""

    def plain(record: Measured) -> dict[str, object]:
        return candidate(record, summary.classes)

    return {
        "sweep": row.key,
        "name": row.name,
        "objectives": {name: way.value for name, way in row.space.objectives.items()},
        "simulated": summary.simulated,
        "classes": list(summary.classes),
        "front": [
            plain(place.record) | {"place": place.level.value, "ties": list(_keys(group, place))}
            for group in summary.groups
            for place in group.front.placed
            if place.is_member
        ],
        "picks": {
            group.title: {pick.key: pick.record.candidate.asked_key for pick in group.picks}
            for group in summary.groups
        },
        "drift": drift_as_json(summary.drift),
        "summary": [sentence for group in summary.groups for sentence in group.sentences],
        "measured": [plain(r) for r in summary.records if r.state is State.COMPLETE],
        "failed": [
            plain(r) | {"failure": asdict(r.failure) if r.failure else None}
            for r in summary.records
            if r.state is State.FAILED
        ],
    }


def drift_as_json(drifts: Sequence[RigDrift]) -> list[dict[str, object]]:
    """What the anchors of each rig found: ratios to the first measurement, and what they touch."""
    return [
        {
            "rig": drift.rig,
            "baseline": drift.baseline.candidate.asked_key,
            "drifted": drift.drifted,
            "checks": [
                {
                    "at": check.at.isoformat(),
                    "ratio": {
                        "value": check.change.value,
                        "low": check.change.low,
                        "high": check.change.high,
                    },
                    "drifted": check.drifted,
                }
                for check in drift.checks
            ],
            "touched": len(drift.touched),
        }
        for drift in drifts
    ]


def _keys(group: GroupSummary, place: Placed) -> list[str]:
    by_id = {record.trial_id: record.candidate.asked_key for record in group.records}
    return [by_id[trial] for trial in place.ties]
