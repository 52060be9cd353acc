"""Everything that is known of the candidates, for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.plain import numbers


class JsonList:
    """A list with one object per candidate: settings, command line, numbers, where measured."""

    name = "json"
    meaning = "settings, command line and numbers, for programs"
    suffix = ".json"
    one_per_file = False

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
            "measured": {name: numbers(e) for name, e in sorted(record.estimates.items())},
        }


FORMAT = JsonList()
