"""One attempt at a context, and what a failed one says about the limit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import Failed, Outcome


class Cause(StrEnum):
    """Why an attempt failed, as far as a limit of the context is concerned."""

    MEMORY = "memory"  # longer contexts need more of it
    ENGINE = "engine"  # it crashed, or did something else than was asked
    HANG = "hang"  # its time was over
    UNRELATED = "unrelated"  # the same at any context

    @property
    def repeats(self) -> bool:
        """Whether one failure settles it: allocations do not vary, crashes may."""
        return self in (Cause.MEMORY, Cause.UNRELATED)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A launch at `ctx` tokens: it passed (`cause` None), or failed in `phase`, and why."""

    ctx: int
    cause: Cause | None = None
    phase: Phase | None = None
    evidence: str = ""
    advice: str = ""

    @property
    def passed(self) -> bool:
        """It loaded, survived warm-up, and answered every near-full request."""
        return self.cause is None


_UNRELATED = frozenset(
    {
        FailureKind.CAPABILITY_MISSING,
        FailureKind.MODEL_INCOMPATIBLE,
        FailureKind.DRAFT_INCOMPATIBLE,
        FailureKind.BAD_MODEL_FILE,
        FailureKind.INVALID_CONFIG,
        FailureKind.DRIVER_OR_INSTALL,
    }
)
_RANGE_ERRORS = ("vector subscript", "_M_range_check", "error loading model: vector")


def attempt_of(outcome: Outcome, ctx: int, spare_mib: float | None) -> Attempt | None:
    """What an outcome says; None where the machinery failed, which says nothing of the engine.

    `spare_mib` is what the memory model expects to be left at this context, None if unknown.
    """
    if not isinstance(outcome, Failed):
        return Attempt(ctx)
    why = outcome.diagnosis
    if why.kind.is_infrastructure:
        return None
    cause = cause_of(why, spare_mib)
    advice = why.advice
    if cause is Cause.ENGINE and why.kind is FailureKind.OUT_OF_MEMORY:
        advice = (
            f"The memory model expects {spare_mib:,.0f} MiB to be left here, so this is a bug of "
            "the build: stay at the ceiling, or try another build."
        )
    return Attempt(ctx, cause, outcome.phase, why.evidence, advice)


def cause_of(why: Diagnosis, spare_mib: float | None) -> Cause:
    """The cause of a failure.

    An index out of range while the drafter loads usually means that the target took all memory.
    Where the model of memory says that there is plenty it is what it looks like: a bug.
    """
    if why.kind in _UNRELATED:
        return Cause.UNRELATED
    if why.kind is FailureKind.TIMEOUT_HANG:
        return Cause.HANG
    if why.kind in (FailureKind.OUT_OF_MEMORY, FailureKind.MEMORY_SPILL):
        odd = any(text in why.evidence for text in _RANGE_ERRORS)
        return Cause.ENGINE if odd and spare_mib is not None and spare_mib > 0 else Cause.MEMORY
    return Cause.ENGINE
