"""What analysis works on: one frozen record per trial, independent of how it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from db.states import ClaimVerdict
from db.verification_rows import ClaimRow
from search_spaces.candidate import Candidate
from workers.contract.failure import Diagnosis
from workers.contract.outcome import Estimate, Sample
from workers.contract.reports import RigKind, RigReport
from workers.statistics.depths import DEEP_RATIOS, AtDepth, deepest


class State(StrEnum):
    """What is known of a trial. INFEASIBLE ones were ruled out before any launch."""

    COMPLETE = "complete"
    FAILED = "failed"
    INFEASIBLE = "infeasible"


class Role(StrEnum):
    """Why a trial exists."""

    BASELINE = "baseline"
    SEARCH = "search"
    MEASURE = "measure"


@dataclass(frozen=True, slots=True)
class Again:
    """A candidate's speed measured again later: when that ended, its raw samples, and where.

    `rig` may be one that is equal to the record's, empty: the record's own.
    """

    at: datetime
    throughput: tuple[Sample, ...]
    rig: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """What the latest finished verification says of a candidate, and when that ended."""

    at: datetime
    claims: tuple[ClaimRow, ...]

    @property
    def survived(self) -> bool:
        """Whether every claim did."""
        return all(claim.verdict is ClaimVerdict.SURVIVED for claim in self.claims)


@dataclass(frozen=True, slots=True)
class Measured:
    """One candidate on one rig with everything measured of it.

    `estimates` is by metric name. `throughput`, `deep`, `chunks` and `divergence` are the raw
    samples that paired comparisons need; without them comparisons fall back on intervals.
    `depths` is speed against depth, the deepest last; `scores` are those of generated programs.
    `hardware` is what the rig's host reported of it, None where that was not recorded.
    `baseline_id` is the trial that speed-up and deltas refer to; `derive` fills it in.
    `measured_at` is when its speed was known; `again` what a rig's anchors found of it later.
    `measured_on` is the rig that measured its speed, where that is one that is equal to `rig`.
    `verified` is True when the candidate was measured again, afresh, and agreed.
    """

    trial_id: int
    rig: str
    candidate: Candidate
    state: State = State.COMPLETE
    role: Role = Role.SEARCH
    number: int | None = None
    rig_kind: RigKind = RigKind.CPU
    hardware: RigReport | None = None
    engine_label: str = ""
    estimates: Mapping[str, Estimate] = field(default_factory=dict)
    throughput: tuple[Sample, ...] = ()
    deep: tuple[Sample, ...] = ()
    depths: tuple[AtDepth, ...] = ()
    chunks: tuple[Sample, ...] = ()
    divergence: tuple[Sample, ...] = ()
    scores: tuple[Sample, ...] = ()
    flags: tuple[str, ...] = ()
    failure: Diagnosis | None = None
    reason: str = ""
    simulated: bool = False
    verified: bool = False
    argv: tuple[str, ...] = ()
    baseline_id: int | None = None
    measured_at: datetime | None = None
    again: tuple[Again, ...] = ()
    verification: Verification | None = None
    measured_on: str = ""

    @property
    def where(self) -> str:
        """The rig that measured its speed."""
        return self.measured_on or self.rig

    @property
    def is_baseline(self) -> bool:
        """True for a candidate that others are compared with."""
        return self.role is Role.BASELINE or self.baseline_id == self.trial_id

    def value(self, metric: str) -> float | None:
        """A measured value, or the candidate's context capacity for `ctx`; None when unknown."""
        if metric == "ctx":
            return float(self.candidate.ctx)
        found = self.estimates.get(metric)
        return None if found is None else found.value

    def requests_of(self, metric: str) -> tuple[Sample, ...]:
        """The raw requests that a speed is a ratio of: the deepest ones, or the suite's."""
        return deepest(self.deep) if metric in DEEP_RATIOS else self.throughput

    def with_estimates(self, *made: Estimate) -> Measured:
        """The same record with these estimates added or replaced."""
        return replace(self, estimates={**self.estimates, **{e.metric: e for e in made}})
