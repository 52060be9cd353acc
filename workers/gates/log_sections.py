"""Which part of a server's log is about the target, and which about the drafter.

Both models print the same lines in the same words. The drafter is loaded second, after a line
that says so: `loading draft model` (mainline since 2023, ik_llama.cpp), or a second context on
the target's own weights for multi-token prediction.
"""

from __future__ import annotations

import re

_DRAFT_BEGINS = re.compile(
    r"^.*(?:loading (?:the )?draft(?:er)? model|creating (?:the )?(?:MTP|draft)\b.*\bcontext)",
    re.IGNORECASE | re.MULTILINE,
)


def target_part(log: str) -> str:
    """The lines up to the drafter's load; the whole log where no drafter is loaded."""
    begins = _DRAFT_BEGINS.search(log)
    return log if begins is None else log[: begins.start()]


def draft_part(log: str) -> str:
    """The lines from the drafter's load on; empty where no drafter is loaded."""
    begins = _DRAFT_BEGINS.search(log)
    return "" if begins is None else log[begins.start() :]


def line_of(log: str, match: re.Match[str], limit: int = 240) -> str:
    """The whole line in which a match begins, trimmed for reading."""
    start = log.rfind("\n", 0, match.start()) + 1
    end = log.find("\n", match.start())
    line = log[start : end if end >= 0 else len(log)].strip()
    return line if len(line) <= limit else line[: limit - 1] + "…"
