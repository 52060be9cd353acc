"""Environment variables, for docker run --env-file or systemd's EnvironmentFile."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.analysis.exports.base import ExportError, ExportRequest
from orchestrator.analysis.exports.settings import settings
from orchestrator.analysis.exports.stamp import comments, stamp


class Env:
    """LLAMA_ARG_* lines without quotes, as container runtimes read them."""

    name = "env"
    meaning = "LLAMA_ARG_* variables for a container"
    suffix = ".env"

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """One candidate only: a second one would overwrite the variables of the first."""
        if len(requests) != 1:
            raise ExportError(
                "the env format holds one candidate.", "Name one, or use json or ini."
            )
        lines = [f"{s.variable}={s.text}" for s in settings(requests[0].argv)]
        return "\n".join([comments(stamp(requests[0])), *lines])


FORMAT = Env()
