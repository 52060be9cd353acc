"""A log as the classifier reads it: no colours, no benign lines, and how far the run got."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workers.failures.benign import BENIGN, PROGRESS
from workers.failures.pattern import fold

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

# A verbose server log can reach gigabytes. Errors of the load stand at its head, errors of the
# run at its tail; what is between them is per-token noise.
_HEAD, _TAIL = 150_000, 250_000
_EVIDENCE = 400  # characters of a line that a person will read
# Patterns look from one end of a line to the other; on a line without end that takes for ever.
_LONG_LINE = re.compile(r"[^\n]{4000}")


@dataclass(frozen=True, slots=True)
class Log:
    """Cleaned text, the same in lower case for matching, and how far the run got.

    `passed` is the offset before which the engine got past its errors.
    """

    text: str
    folded: str
    passed: int

    def line_at(self, offset: int) -> str:
        """The line around an offset, without margins; of a long one the part that matters."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        end = end if end >= 0 else len(self.text)
        if end - start > _EVIDENCE:
            start = max(start, min(offset - _EVIDENCE // 4, end - _EVIDENCE))
            end = min(end, start + _EVIDENCE)
        return self.text[start:end].strip()

    def last_line(self) -> str:
        """The last line with something on it, or an empty string."""
        stripped = self.text.rstrip()
        return self.line_at(len(stripped) - 1) if stripped else ""


def read_log(raw: str) -> Log:
    """Cleans a raw log: escapes and benign lines go, very long logs keep both their ends."""
    if len(raw) > _HEAD + _TAIL:
        raw = raw[:_HEAD] + "\n" + raw[-_TAIL:]
    text = _ESCAPES.sub("", raw.replace("\r\n", "\n").replace("\r", "\n"))
    text = _LONG_LINE.sub(lambda piece: piece[0] + "\n", _CONTROL.sub("", text))
    text = "\n".join(line for line in text.split("\n") if not BENIGN.search(fold(line)))
    folded = fold(text)
    passed = max((mark.end() for mark in PROGRESS.finditer(folded)), default=0)
    return Log(text=text, folded=folded, passed=passed)
