"""The states that rows pass through. The values are stored, so they never change."""

from __future__ import annotations

from enum import StrEnum


class SweepState(StrEnum):
    """Whether a driver works on a sweep. A killed driver leaves it RUNNING."""

    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"


class TrialState(StrEnum):
    """What is known of a trial. REPLAYED: its numbers are those of another trial."""

    WAITING = "waiting"
    COMPLETE = "complete"
    FAILED = "failed"
    REPLAYED = "replayed"


class TrialRole(StrEnum):
    """Why a trial exists: to compare with, found by the sampler, or asked for by name.

    An ANCHOR is a baseline measured again, to see drift: no result of its own.
    """

    BASELINE = "baseline"
    SEARCH = "search"
    MEASURE = "measure"
    ANCHOR = "anchor"


class ClaimVerdict(StrEnum):
    """What a second, fresh measurement says of a claim. UNDECIDED: neither shown nor refuted."""

    SURVIVED = "survived"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


class JobState(StrEnum):
    """Whether a job's outcome is recorded. A killed driver leaves it RUNNING."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
