"""When to repeat, when to start the engine anew, and when it is enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from search_spaces.recipe import ThroughputRecipe
from workers.contract.job import StoppingRule
from workers.contract.outcome import Estimate, Sample
from workers.statistics.passes import within_launch_precision
from workers.statistics.rate import estimate
from workers.statistics.spread import Spread


class Next(StrEnum):
    """What to do after a pass."""

    PASS = "pass"
    LAUNCH = "launch"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a job stands: launches begun, passes made in this one, seconds since the job began."""

    launches: int
    passes: int
    elapsed_s: float


STOPPED_EARLY = "stopped_early"
# Below these degrees of freedom the rig's spread is too uncertain to drop launches that would
# have told more about it: candidates that look beaten would come out as ties in the end
# (benchmarks/results/savings.md).
LEAST_SPREAD_DF = 10.0


def decide(
    recipe: ThroughputRecipe, rule: StoppingRule, progress: Progress, samples: Sequence[Sample]
) -> tuple[Next, str | None]:
    """The next step, and the flag to put on the numbers when it ends early.

    Every launch makes its least number of passes, and every candidate its least number of
    launches, unless it is clearly beaten. More passes narrow pass noise and nothing else, so in
    the last launch they go on until that is below the wanted precision, or the budget is spent.
    """
    if progress.passes < recipe.passes:
        return Next.PASS, None
    if _beaten(rule, samples):
        return Next.STOP, STOPPED_EARLY
    if progress.launches < recipe.launches:
        return Next.LAUNCH, None
    within = within_launch_precision(samples)
    if within is not None and within <= rule.precision:
        return Next.STOP, None
    if progress.elapsed_s < rule.budget_s and progress.passes < recipe.max_passes:
        return Next.PASS, None
    return Next.STOP, None


def _beaten(rule: StoppingRule, samples: Sequence[Sample]) -> bool:
    """Whether some measured point is no worse in quality and clearly faster."""
    if rule.loss is None or rule.spread is None or rule.spread[1] < LEAST_SPREAD_DF:
        return False
    rate = rate_of(rule, samples)
    if rate is None or rate.high is None:
        return False
    loss, high = rule.loss, rate.high
    return any(point.loss <= loss and point.tok_s > high for point in rule.to_beat)


def rate_of(rule: StoppingRule, samples: Sequence[Sample]) -> Estimate | None:
    """Generation speed so far, with the rig's spread where it is known."""
    return estimate("tok_s", samples, Spread(*rule.spread) if rule.spread else None)
