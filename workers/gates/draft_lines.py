"""The lines in which builds say how long their drafts may be.

Mainline, block drafters  requested draft size (n_max=12, ..) exceeds the trained block size 8 --
                          clamping to 7            (printed after the line that repeats n_max=12)
mainline                  - n_max=4, n_min=0, p_min=0.00[, ..]
mainline, block drafters  - block_size=8, ..
BeeLlama 0.1 to 0.3       dflash: block_size=16, mask_token=.., ..
The lines of the n-gram drafters (`- n_match=24, n_max=64, ..`) are about other settings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CLAMPED = re.compile(r"draft size \(n_max=(\d+).*?clamp(?:ing|ed) to (\d+)", re.IGNORECASE)
_N_MAX = re.compile(r"(?:^|[\s:])- n_max=(\d+)\b", re.MULTILINE)
_BLOCK = re.compile(r"\bblock_size=(\d+)\b")


@dataclass(frozen=True, slots=True)
class DraftLength:
    """The longest draft in tokens, and the words of the log that say so."""

    n_max: int
    said: str


def draft_length(log: str, asked: int | None, anchor_first: bool) -> DraftLength | None:
    """What the log says the longest draft is; None where it says nothing.

    `anchor_first`: a DSpark block drafts as many tokens as it has; a DFlash block begins with a
    token that is known already, and drafts one fewer.
    """
    if clamped := _CLAMPED.findall(log):
        wanted, granted = clamped[-1]
        return DraftLength(int(granted), f"asked {wanted}, clamped to {granted}")
    told = [int(n) for n in _N_MAX.findall(log)]
    blocks = [int(n) for n in _BLOCK.findall(log)]
    wanted_n = told[-1] if told else asked
    if blocks and wanted_n is not None:
        most = blocks[-1] if anchor_first else blocks[-1] - 1
        if wanted_n > most:
            return DraftLength(most, f"asked {wanted_n}, a block of {blocks[-1]} drafts {most}")
    if told:
        return DraftLength(told[-1], f"n_max={told[-1]}")
    return None
