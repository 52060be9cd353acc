"""Recommendations as plain data, for JSON."""

from __future__ import annotations

import math
from typing import Any

from orchestrator.analysis.goals.base import Absent, Pick
from orchestrator.analysis.plain import candidate
from workers.statistics.comparison import Comparison


def answer(made: Pick | Absent) -> dict[str, Any]:
    """One goal: `candidate` is null where nothing can be recommended, `reason` then says why."""
    head = {"goal": made.key, "title": made.title}
    if isinstance(made, Absent):
        return {**head, "candidate": None, "reason": made.reason}
    return {
        **head,
        "candidate": candidate(made.record),
        "why": made.why,
        "runner_up": None if made.runner_up is None else candidate(made.runner_up),
        "difference_shown": made.shown,
        "about": list(made.about),
        "against_runner_up": [_comparison(one) for one in made.against],
    }


def _comparison(made: Comparison) -> dict[str, Any]:
    """`verdict` is that of the recommended candidate; JSON has no infinity, null stands for it."""
    read = {"value": made.value, "low": made.low, "high": made.high}
    finite = {k: v if v is not None and math.isfinite(v) else None for k, v in read.items()}
    return {
        "metric": made.metric,
        "scale": str(made.scale),
        **finite,
        "p": made.p,
        "verdict": str(made.verdict),
    }
