"""The nearest valid name, for errors that help."""

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
