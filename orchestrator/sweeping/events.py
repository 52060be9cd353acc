"""What a sweep says while it runs. The CLI listens; tests listen too."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from orchestrator.sweeping.plan import Plan
from search_spaces.candidate import Candidate
from workers.contract.failure import Diagnosis
from workers.contract.job import Job
from workers.contract.outcome import Estimate


@dataclass(frozen=True)
class TrialEnded:
    """A trial that was told: its estimates, or why it failed."""

    rig: str
    number: int | None
    candidate: Candidate
    estimates: dict[str, Estimate] = field(default_factory=dict)
    failure: Diagnosis | None = None
    same_as: int | None = None
    is_baseline: bool = False


@dataclass(frozen=True)
class Tally:
    """How far a sweep is: trials done, failed and left, and seconds to go (None: not known)."""

    done: int
    failed: int
    left: int
    eta_s: float | None


class Listener(Protocol):
    """Hears what happens; must return quickly."""

    def planned(self, plan: Plan, resumed: int) -> None:
        """The plan stands; `resumed` trials were already complete."""
        ...

    def job_started(self, rig: str, job: Job) -> None:
        """A rig works on a job."""
        ...

    def trial_ended(self, ended: TrialEnded, tally: Tally) -> None:
        """A trial was recorded and told."""
        ...

    def note(self, text: str) -> None:
        """Something a person should know."""
        ...


class Silent:
    """Listens to nothing."""

    def planned(self, plan: Plan, resumed: int) -> None:
        """Ignored."""

    def job_started(self, rig: str, job: Job) -> None:
        """Ignored."""

    def trial_ended(self, ended: TrialEnded, tally: Tally) -> None:
        """Ignored."""

    def note(self, text: str) -> None:
        """Ignored."""
