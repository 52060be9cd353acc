"""What the repository of verifications returns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from db.rows import Driver
from db.states import ClaimVerdict, SweepState
from search_spaces.metrics import Facet


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim about one candidate, and what became of it.

    `claimed` is what the sweep said, `value`, `low` and `high` what the fresh run found, on the
    scale of the claim (a ratio to the baseline, a rate in tok/s); None where it has no number.
    """

    rig: str
    trial_id: int
    kind: str
    verdict: ClaimVerdict
    sentence: str
    claimed: float | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class RunRow:
    """One launch of a verification: the `position`-th on its rig, in round `round`.

    `memo` says where its numbers are; `job_id` is its last attempt, None before it began.
    """

    rig: str
    position: int
    round: int
    trial_id: int
    memo: dict[Facet, str]
    job_id: str | None = None


@dataclass(frozen=True, slots=True)
class VerificationRow:
    """One verification of a sweep's finalists. `seed` made the order of its runs."""

    id: int
    sweep_id: int
    state: SweepState
    seed: int
    launches: int
    started: datetime
    ended: datetime | None
    driver: Driver
    runs: tuple[RunRow, ...]
    claims: tuple[ClaimRow, ...]
