"""Text from logs as a page shows it: no colours, no cursor tricks, no invisible characters."""

from __future__ import annotations

import unicodedata

from workers.engines.log import clean

_KEPT = "\n\t"


def printable(text: str) -> str:
    """Without terminal escape codes; what is left of control characters becomes U+FFFD.

    That includes marks that reverse the direction of writing: they make a line read as what it
    is not.
    """
    return "".join(char if _is_plain(char) else "\N{REPLACEMENT CHARACTER}" for char in clean(text))


def _is_plain(char: str) -> bool:
    return char in _KEPT or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
