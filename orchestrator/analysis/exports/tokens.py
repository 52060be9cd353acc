"""A command line cut where a reader wants line breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from orchestrator.analysis.exports.base import ExportError

_FLAG = re.compile(r"--?[A-Za-z]")


def is_flag(token: str) -> bool:
    """Whether a token names a flag; a negative number does not."""
    return _FLAG.match(token) is not None


def lines_of(argv: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The binary, then each flag with its values."""
    line = [argv[0]]
    for token in argv[1:]:
        if is_flag(token):
            yield tuple(line)
            line = []
        line.append(token)
    yield tuple(line)


def on_one_line(tokens: Sequence[str]) -> Sequence[str]:
    """The same tokens. Raises ExportError for one that holds a line break or a control code."""
    for token in tokens:
        if not token.isprintable():
            raise ExportError(
                f"{token!r} in the command line does not fit on one line.",
                "Rename the file, or use the format command.",
            )
    return tokens
