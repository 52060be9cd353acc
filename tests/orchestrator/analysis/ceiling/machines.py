"""Simulated engines: what a launch at a context does, and the search against one."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from orchestrator.analysis.ceiling.attempt import Attempt, Cause
from orchestrator.analysis.ceiling.search import Search


@dataclass
class Machine:
    """Memory ends above `memory` tokens, the engine crashes above `bug`.

    Between `steady` and `bug` it passes with the probability `chance`. Limits are inclusive.
    """

    memory: int = 10**9
    bug: int = 10**9
    steady: int = 10**9
    chance: float = 0.5
    hangs: bool = False
    rng: random.Random = field(default_factory=lambda: random.Random(7))

    def attempt(self, ctx: int) -> Attempt:
        """One launch."""
        if ctx > self.memory:
            return Attempt(ctx, Cause.MEMORY, evidence="out of memory")
        odd = Cause.HANG if self.hangs else Cause.ENGINE
        if ctx > self.bug or (ctx > self.steady and self.rng.random() >= self.chance):
            return Attempt(ctx, odd, evidence="GGML_ASSERT")
        return Attempt(ctx)


def look(search: Search, machine: Machine, most: int = 200) -> int:
    """Launches until the search is certain."""
    launches = 0
    while (ctx := search.next()) is not None:
        assert launches < most, "the search does not end"
        search.learn(machine.attempt(ctx))
        launches += 1
    return launches
