"""A PowerShell command."""

from __future__ import annotations

import re
from collections.abc import Sequence

from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.exports.stamp import comments, stamp
from orchestrator.analysis.exports.tokens import lines_of

_PLAIN = re.compile(r"[A-Za-z0-9_.:/\\-]+")
_CLOSING = "'\u2018\u2019\u201a\u201b"  # PowerShell ends a text at any of these


class PowerShell:
    """The same command for PowerShell 7: call operator, backticks, single quotes doubled."""

    name = "powershell"
    meaning = "a command for PowerShell 7"
    suffix = ".ps1"
    one_per_file = False

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """Commands below their comments."""
        return "\n\n".join(
            comments(stamp(request))
            + "\n& "
            + " `\n  ".join(" ".join(map(quote, line)) for line in lines_of(request.argv))
            for request in requests
        )


def quote(token: str) -> str:
    """A token as PowerShell takes it literally."""
    if _PLAIN.fullmatch(token):
        return token
    return "'" + "".join(c * 2 if c in _CLOSING else c for c in token) + "'"


FORMAT = PowerShell()
