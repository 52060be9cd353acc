"""What is told of a trial: objective values, and how far each limit is violated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from search_spaces.metrics import METRICS, Direction
from search_spaces.space import Space

FAILED = "failed"  # the constraint that a trial without a result violates


@dataclass(frozen=True, slots=True)
class Verdict:
    """Values in the order of the objectives; violations by name, where <= 0 holds.

    `why` is a sentence for people, where there is something to explain.
    """

    values: tuple[float, ...]
    violations: Mapping[str, float] = field(default_factory=dict)
    why: str = ""

    @property
    def broken(self) -> dict[str, float]:
        """The limits that do not hold."""
        return {name: value for name, value in self.violations.items() if value > 0}


def failed(space: Space, why: str) -> Verdict:
    """A failure that lies in the parameters.

    It is told as a violated constraint with the worst values, which keeps the sampler away from
    such candidates; Optuna's own FAIL state would be ignored by TPE.
    """
    values = tuple(worst_value(space, name) for name in space.objectives)
    return Verdict(values, {FAILED: 1.0} | {limit.text: 1.0 for limit in space.limits}, why)


def worst_value(space: Space, objective: str) -> float:
    """What a trial without this objective is told to have reached."""
    if objective in METRICS:
        return METRICS[objective].worst
    return 0.0 if space.objectives[objective] is Direction.MAXIMIZE else 1e12
