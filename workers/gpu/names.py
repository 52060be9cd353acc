"""Rig names that people would type: `rtx5090`, `h200`, `rtx4080-laptop`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_DROPPED = frozenset({"nvidia", "geforce", "tesla", "quadro", "gpu", "graphics", "(tm)", "(r)"})
_SERIES = frozenset({"rtx", "gtx", "gt", "mx", "cmp"})


def short_name(card: str) -> str:
    """A card's name in lower case without the maker's words: `NVIDIA GeForce RTX 5090` is
    `rtx5090`."""
    words = [word for word in card.lower().split() if word not in _DROPPED]
    if len(words) > 1 and words[0] in _SERIES and words[1][:1].isdigit():
        words[:2] = [words[0] + words[1]]
    name = re.sub(r"[^a-z0-9]+", "-", "-".join(words)).strip("-")
    return name or "gpu"


def rig_names(cards: Iterable[str]) -> Sequence[str]:
    """One name per card; equal ones are numbered from 0 in the order given."""
    names = [short_name(card) for card in cards]
    many = {name for name, count in Counter(names).items() if count > 1}
    seen: Counter[str] = Counter()
    numbered = []
    for name in names:
        numbered.append(f"{name}-{seen[name]}" if name in many else name)
        seen[name] += 1
    return numbered
