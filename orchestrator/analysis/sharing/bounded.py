"""Texts for a bundle: redacted, and no more of them than a bundle should hold."""

from __future__ import annotations

from collections.abc import Iterable

from orchestrator.analysis.redact import Redactor
from orchestrator.analysis.sharing.format import MOST_OF_LOGS


def bounded(texts: Iterable[tuple[str, str]], redactor: Redactor) -> dict[str, bytes]:
    """The first of these texts by name, as many as fit into MOST_OF_LOGS bytes."""
    found: dict[str, bytes] = {}
    left = MOST_OF_LOGS
    for name, text in texts:
        data = redactor.text(text).encode()
        left -= len(data)
        if left < 0:
            break
        found[name] = data
    return found
