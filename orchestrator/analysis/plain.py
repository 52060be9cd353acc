"""Candidates as plain data, for JSON."""

from __future__ import annotations

import math

from orchestrator.analysis.classes import Classes
from orchestrator.analysis.records import Measured
from workers.contract.outcome import Estimate
from workers.statistics.positions import by_position


def candidate(record: Measured, classes: Classes | None = None) -> dict[str, object]:
    """One candidate with its numbers and their intervals.

    Per prompt class where there are some, and at each depth where depth was measured.
    """
    found: dict[str, object] = {
        "key": record.candidate.asked_key,
        "rig": record.rig,
        "candidate": record.candidate.as_dict(),
        "engine_build": record.engine_label,
        "baseline": record.is_baseline,
        "flags": list(record.flags),
        "verified": record.verified,
        "metrics": metrics(record),
    }
    if record.candidate.drafts and record.throughput:
        found["acceptance_by_position"] = [numbers(at) for at in by_position(record.throughput)]
    if record.depths:
        found["depths"] = [
            {"depth": at.depth, "tokens": at.tokens}
            | {estimate.metric: numbers(estimate) for estimate in at.estimates}
            for at in record.depths
        ]
    if classes:
        found["classes"] = {
            name: metrics(own[record.trial_id])
            for name, own in classes.items()
            if record.trial_id in own
        }
    return found


def metrics(record: Measured) -> dict[str, object]:
    """Every number of a record by its metric."""
    return {name: numbers(estimate) for name, estimate in record.estimates.items()}


def numbers(estimate: Estimate) -> dict[str, float | int | None]:
    """JSON has neither NaN nor infinity: such a number is written as null."""
    parts = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    finite = {k: v if v is not None and math.isfinite(v) else None for k, v in parts.items()}
    return {**finite, "n": estimate.n}
