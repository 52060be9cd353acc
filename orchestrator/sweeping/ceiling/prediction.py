"""Where the memory model expects a candidate's ceiling."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.analysis.ceiling.grid import Grid
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.rules.memory import verdict_for
from search_spaces.candidate import Candidate
from workers.memory.verdict import Fits


def spare_mib(ground: Ground, candidate: Candidate) -> float | None:
    """MiB expected to be left on the tightest card, negative where short; None if unknown."""
    verdict = verdict_for(ground, candidate)
    if verdict is None:
        return None
    return verdict.spare_mib if isinstance(verdict, Fits) else -verdict.by_mib


def predicted_ctx(ground: Ground, candidate: Candidate, grid: Grid) -> int | None:
    """Tokens of the longest context that is expected to fit, at least the shortest of the grid."""
    low, high = 0, len(grid) + 1
    while high - low > 1:
        middle = (low + high) // 2
        spare = spare_mib(ground, replace(candidate, ctx=grid.ctx(middle)))
        if spare is None:
            return None
        low, high = (middle, high) if spare >= 0 else (low, middle)
    return grid.ctx(max(1, low))
