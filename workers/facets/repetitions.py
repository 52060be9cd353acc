"""When to repeat, when to start the engine anew, and when it is enough."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from search_spaces.recipe import ThroughputRecipe
from workers.contract.job import StoppingRule
from workers.contract.outcome import Estimate


class Next(StrEnum):
    """What to do after a pass."""

    PASS = "pass"
    LAUNCH = "launch"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a job stands: launches begun, passes made in this one, seconds since the job began."""

    launch: int
    passes: int
    elapsed_s: float


EARLY_STOP = "stopped early: clearly below a measured candidate"
IMPRECISE = "interval wider than the target: budget spent"


def decide(
    recipe: ThroughputRecipe, rule: StoppingRule, progress: Progress, rate: Estimate
) -> tuple[Next, str | None]:
    """The next step, and the flag to put on the numbers when it ends for a reason.

    The least number of launches and passes is always made: an interval from less says nothing.
    After that, passes continue in the last launch, then in further launches (up to twice the
    least number), until precise enough, out of time, or clearly beaten.
    """
    if progress.passes < recipe.passes:
        return Next.PASS, None
    if progress.launch < recipe.launches:
        if _beaten(rule, rate):
            return Next.STOP, EARLY_STOP
        return Next.LAUNCH, None
    if half_width(rate) <= rule.precision:
        return Next.STOP, None
    if _beaten(rule, rate):
        return Next.STOP, EARLY_STOP
    if progress.elapsed_s >= rule.budget_s:
        return Next.STOP, IMPRECISE
    if progress.passes < recipe.max_passes:
        return Next.PASS, None
    if progress.launch < 2 * recipe.launches:
        return Next.LAUNCH, None
    return Next.STOP, IMPRECISE


def half_width(rate: Estimate) -> float:
    """Half the interval as a share of the value; infinite where there is no interval."""
    if rate.low is None or rate.high is None or rate.value <= 0:
        return float("inf")
    return (rate.high - rate.low) / 2 / rate.value


def _beaten(rule: StoppingRule, rate: Estimate) -> bool:
    """Whether some measured point is no worse in quality and clearly faster."""
    if rule.loss is None or rate.high is None:
        return False
    loss, high = rule.loss, rate.high
    return any(point.loss <= loss and point.tok_s > high for point in rule.to_beat)
