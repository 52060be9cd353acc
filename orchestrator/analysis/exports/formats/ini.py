"""A preset file for llama-server's router mode: llama-server --models-preset FILE.

Its grammar is in llama.cpp's common/preset.cpp: a value ends at ; or #, and nothing escapes one.
"""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.analysis.exports.base import ExportError, ExportRequest
from orchestrator.analysis.exports.settings import Setting, settings
from orchestrator.analysis.exports.stamp import comments, stamp


class Ini:
    """One section per candidate; keys are the long flag names without dashes."""

    name = "ini"
    meaning = "presets for llama-server --models-preset"
    suffix = ".ini"
    one_per_file = False

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """The whole preset file."""
        return "version = 1\n\n" + "\n\n".join(map(self._section, requests))

    @staticmethod
    def _section(request: ExportRequest) -> str:
        lines = [f"{s.long_name} = {_value(s)}" for s in settings(request.argv)]
        return "\n".join([comments(stamp(request), ";"), f"[{request.name}]", *lines])


def _value(setting: Setting) -> str:
    text = setting.text
    if text != text.strip() or ";" in text or "#" in text:
        raise ExportError(
            f"A preset file cannot hold the value of {setting.spelling}: {text!r}.",
            "Rename the file, or use the format command.",
        )
    return text


FORMAT = Ini()
