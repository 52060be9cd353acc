"""Names and values in messages: the nearest valid name, and a value cut to a readable length."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """A sentence with the nearest valid name, or the list of valid ones."""
    known = sorted(set(valid))
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"Did you mean {close[0]!r}?"
    return f"Valid names: {', '.join(known)}." if known else ""


def shown(value: object, most: int = 60) -> str:
    """A value as it stands in a message: its repr, cut to `most` characters."""
    text = repr(value)
    return text if len(text) <= most else text[: most - 3] + "..."
