"""A POSIX shell command."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.exports.stamp import comments, stamp
from orchestrator.analysis.exports.tokens import lines_of


class Command:
    """llama-server with its flags, one flag a line, quoted for sh."""

    name = "command"
    meaning = "a shell command (sh, bash, zsh)"
    suffix = ".sh"
    one_per_file = False

    def render(self, requests: Sequence[ExportRequest]) -> str:
        """Commands below their comments."""
        return "\n\n".join(
            comments(stamp(request)) + "\n" + " \\\n  ".join(self._lines(request.argv))
            for request in requests
        )

    @staticmethod
    def _lines(argv: Sequence[str]) -> Iterator[str]:
        for line in lines_of(argv):
            yield " ".join(map(shlex.quote, line))


FORMAT = Command()
