"""A trial in outline: what a page of a hundred thousand of them needs of each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from db.states import TrialRole, TrialState
from search_spaces.candidate import Candidate
from workers.contract.failure import Diagnosis
from workers.contract.outcome import Estimate


@dataclass(frozen=True, slots=True)
class TrialOutline:
    """An ended trial with its estimates by metric; neither raw samples nor what its jobs said."""

    id: int
    rig: str
    number: int | None
    role: TrialRole
    state: TrialState
    candidate: Candidate
    ended: datetime | None
    estimates: dict[str, Estimate]
    failure: Diagnosis | None
    simulated: bool
