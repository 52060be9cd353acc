"""The log file of one launch, as text."""

from __future__ import annotations

import re
from pathlib import Path

# At a high verbosity a log can grow without end. What an engine says about itself stands at
# the head, what killed it at the tail.
_HEAD_BYTES, _TAIL_BYTES = 1 << 20, 3 << 20

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


def read_log(path: Path) -> str:
    """The log without escape codes; the middle of a huge one is left out, and marked so."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(0)
            if size <= _HEAD_BYTES + _TAIL_BYTES:
                raw = file.read()
            else:
                head = file.read(_HEAD_BYTES)
                file.seek(size - _TAIL_BYTES)
                left_out = size - _HEAD_BYTES - _TAIL_BYTES
                raw = head + f"\n[{left_out} bytes left out]\n".encode() + file.read()
    except FileNotFoundError:
        return ""
    return clean(raw.decode("utf-8", errors="replace"))


def clean(text: str) -> str:
    """Text without terminal escape codes and with plain line ends."""
    return _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n")


def tail(text: str, lines: int = 40) -> str:
    """The last lines that say something."""
    kept = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "\n".join(kept[-lines:])


def last_line(text: str) -> str:
    """The last line that says something, or an empty text."""
    return tail(text, 1).strip()
