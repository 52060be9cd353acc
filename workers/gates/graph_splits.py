"""Into how many pieces a scheduler cut the graph: more than a few means another device helps.

Mainline since autumn 2026  sched_reserve: graph: nodes = 1299, splits = 1, ..
                            sched_reserve: graph (pp bs=512, tg bs=1): .. splits = 1 / 1, ..
before, and forks           graph splits = 2      or     graph splits = 66 (with bs=512), 3 (with ..
"""

from __future__ import annotations

import re

_NEW = re.compile(r"\bgraph\b[^\n]*?: nodes = [^\n]*?\bsplits = (\d+)(?: / (\d+))?")
_OLD = re.compile(r"\bgraph splits = (\d+)(?: \(with bs=\d+\), (\d+))?")


def most_splits(log: str) -> int | None:
    """The largest number of splits of any graph in a part of a log; None where it is not told."""
    numbers = [
        int(number)
        for pattern in (_NEW, _OLD)
        for match in pattern.finditer(log)
        for number in match.groups()
        if number is not None
    ]
    return max(numbers, default=None)
