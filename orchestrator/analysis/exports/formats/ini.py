"""A preset file for llama-server's router mode: llama-server --models-preset FILE."""

from __future__ import annotations

import re
from collections.abc import Sequence

from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.exports.settings import settings
from orchestrator.analysis.exports.stamp import comments, stamp


class Ini:
    """One section per candidate; keys are the long flag names without dashes."""

    name = "ini"
    meaning = "presets for llama-server --models-preset"
    suffix = ".ini"

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """The whole preset file."""
        return "version = 1\n\n" + "\n\n".join(map(self._section, requests))

    @staticmethod
    def _section(request: ExportRequest) -> str:
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", request.name)
        lines = [f"{s.long_name} = {s.text}" for s in settings(request.argv)]
        return "\n".join([comments(stamp(request), ";"), f"[{name}]", *lines])


FORMAT = Ini()
