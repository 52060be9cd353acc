"""How much of a text repeats itself: greedy decoding of small models likes to go in circles."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from workers.http.completion import Completion

GRAM = 4


def repeated_share(units: Sequence[Hashable], gram: int = GRAM) -> float:
    """Share of the n-grams that occurred before in the same sequence; 0 for short ones.

    1 - distinct / all, the complement of distinct-n (Li et al. 2016, arXiv 1510.03055).
    """
    total = len(units) - gram + 1
    if total < 2:
        return 0.0
    return 1 - len({tuple(units[i : i + gram]) for i in range(total)}) / total


def units_of(completion: Completion) -> Sequence[Hashable]:
    """The tokens, or the words where the build does not return tokens."""
    return completion.tokens or completion.text.split()
