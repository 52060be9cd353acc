"""Everything that is known of the candidates, for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from orchestrator.analysis.exports.base import ExportRequest
from workers.contract.outcome import Estimate


class JsonList:
    """A list with one object per candidate: settings, command line, numbers, where measured."""

    name = "json"
    meaning = "settings, command line and numbers, for programs"
    suffix = ".json"

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """Indented JSON, always a list."""
        return json.dumps([self._entry(r) for r in requests], indent=2, ensure_ascii=False)

    @staticmethod
    def _entry(request: ExportRequest) -> dict[str, Any]:
        record = request.record
        return {
            "name": request.name,
            "title": request.title,
            "rig": record.rig,
            "engine": record.engine_label,
            "verified": record.verified,
            "flags": list(record.flags),
            "candidate": record.candidate.as_dict(),
            "argv": list(request.argv),
            "measured": {name: _numbers(e) for name, e in sorted(record.estimates.items())},
        }


def _numbers(estimate: Estimate) -> dict[str, float | int | None]:
    """JSON has neither NaN nor infinity: such a number is written as null."""
    parts = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {
        **{k: v if v is not None and math.isfinite(v) else None for k, v in parts.items()},
        "n": estimate.n,
    }


FORMAT = JsonList()
