"""A sweep with everything that is recorded of it, free of any database: what bundles hold."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from db.states import SweepState, TrialRole, TrialState
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from workers.contract.outcome import Completed, Failed
from workers.contract.reports import HostReport, RigReport
from workers.contract.resolved import ResolvedCandidate


@dataclass(frozen=True, slots=True)
class WholeJob:
    """One job that ended: exactly one of `completed` and `failed` is set.

    `recipe` and `stop` are as they were stored; `memo` holds the key of each facet asked for.
    """

    id: str
    rig: RigReport
    attempt: int
    seed: int
    simulated: bool
    resolved: ResolvedCandidate
    recipe: dict[str, Any]
    stop: dict[str, Any]
    memo: dict[Facet, str]
    started: datetime
    ended: datetime
    completed: Completed | None = None
    failed: Failed | None = None


@dataclass(frozen=True, slots=True)
class WholeTrial:
    """One trial that ended. `same_as` is the `id` of another trial, `failed_by` that of a job."""

    id: int
    rig: str
    number: int | None
    role: TrialRole
    state: TrialState
    candidate: Candidate
    resolved_key: str | None
    effective_key: str | None
    same_as: int | None
    failed_by: str | None
    flags: tuple[str, ...]
    created: datetime
    ended: datetime
    memo: dict[Facet, str]


@dataclass(frozen=True, slots=True)
class WholeSweep:
    """`space` and `named_facets` are what `db.spaces` makes of a space."""

    key: str
    name: str
    space: dict[str, Any]
    named_facets: list[str]
    fingerprint: dict[str, str]
    state: SweepState
    started: datetime
    ended: datetime
    hosts: tuple[HostReport, ...]
    jobs: tuple[WholeJob, ...]
    trials: tuple[WholeTrial, ...]
