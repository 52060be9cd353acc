"""Environment variables, for docker run --env-file or systemd's EnvironmentFile."""

from __future__ import annotations

import re
from collections.abc import Sequence

from orchestrator.analysis.exports.base import ExportError, ExportRequest
from orchestrator.analysis.exports.settings import Setting, settings
from orchestrator.analysis.exports.stamp import comments, stamp

# A quote at its start, an escape, a variable, a comment, spaces that some readers take off.
_DISPUTED = re.compile(r"^[\"']|[\\$]|(^|\s)#|^\s|\s$")


class Env:
    """LLAMA_ARG_* lines without quotes, as container runtimes read them."""

    name = "env"
    meaning = "LLAMA_ARG_* variables for a container"
    suffix = ".env"
    one_per_file = True

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """The variables of the only request: a second one would overwrite them."""
        (request,) = requests
        lines = [f"{s.variable}={_value(s)}" for s in settings(request.argv)]
        return "\n".join([comments(stamp(request)), *lines])


def _value(setting: Setting) -> str:
    """A value that every reader takes literally. Raises ExportError for any other."""
    text = setting.text
    if _DISPUTED.search(text):
        raise ExportError(
            f"Readers of env files disagree about the value of {setting.spelling}: {text!r}.",
            "Rename the file, or use the format command.",
        )
    return text


FORMAT = Env()
