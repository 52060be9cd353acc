"""What Ray's errors come down to, for a person."""

from __future__ import annotations


def said(error: Exception) -> str:
    """The worker's own exception, or the first line."""
    cause = getattr(error, "cause", None)
    return repr(cause) if cause is not None else str(error).strip().splitlines()[0].rstrip(".")
