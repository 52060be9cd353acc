"""The contexts among which a ceiling is looked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grid:
    """Multiples of `step` tokens below `top`, and `top` itself; numbered from 1."""

    step: int
    top: int

    def __len__(self) -> int:
        return max(1, -(-self.top // self.step))

    def ctx(self, number: int) -> int:
        """Tokens of the context with this number."""
        return min(number * self.step, self.top)

    def at_or_below(self, ctx: int) -> int:
        """The number of the longest context that is no longer than this; 0 where there is none."""
        return len(self) if ctx >= self.top else ctx // self.step

    def at_or_above(self, ctx: int) -> int:
        """The number of the shortest context that is no shorter; one too many where none is."""
        return len(self) + 1 if ctx > self.top else -(-ctx // self.step)
