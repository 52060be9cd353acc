"""What repositories return: frozen values, free of the session that read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from db.states import JobState, SweepState, TrialRole, TrialState
from search_spaces.candidate import Candidate, Value
from search_spaces.metrics import Facet
from search_spaces.space import Space
from workers.contract.failure import Diagnosis, Phase
from workers.contract.outcome import Estimate, GateVerdict, Sample
from workers.contract.resolved import ResolvedCandidate


@dataclass(frozen=True, slots=True)
class Driver:
    """The process that runs a sweep. `pid_started` is its start time (s since the epoch).

    `silent_s` is how long it had not been heard of when the row was read; None: it never beats.
    """

    host: str
    pid: int
    pid_started: float
    silent_s: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One sweep. `runs` is 1 on its first run, and one more for each resume.

    `imported` is the hash of the file that somebody else's sweep came in, None for one's own.
    """

    id: int
    key: str
    name: str
    title: str
    space: Space
    fingerprint: dict[str, str]
    state: SweepState
    runs: int
    started: datetime
    ended: datetime | None
    driver: Driver
    imported: str | None = None


@dataclass(frozen=True, slots=True)
class TrialRow:
    """One trial. `memo` holds the key of each facet linked so far."""

    id: int
    sweep_id: int
    rig: str
    number: int | None
    role: TrialRole
    state: TrialState
    candidate: Candidate
    asked_key: str
    resolved_key: str | None
    effective_key: str | None
    same_as: int | None
    failed_by: str | None
    told: bool
    flags: tuple[str, ...]
    created: datetime
    ended: datetime | None
    memo: dict[Facet, str]


@dataclass(frozen=True, slots=True)
class TrialCounts:
    """How many trials are in each state."""

    waiting: int = 0
    complete: int = 0
    failed: int = 0
    replayed: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.waiting + self.complete + self.failed + self.replayed


@dataclass(frozen=True, slots=True)
class JobRow:
    """One job. Durations in seconds, None until the outcome is recorded."""

    id: str
    sweep_id: int | None
    state: JobState
    resolved: ResolvedCandidate
    rig: str
    hardware_key: str
    simulated: bool
    attempt: int
    memo: dict[Facet, str]
    started: datetime
    ended: datetime | None
    start_s: float | None
    facets_s: float | None
    wall_s: float | None
    log_path: str
    argv: tuple[str, ...]
    effective: dict[str, Value]
    telemetry: dict[str, float]
    log_tail: str


@dataclass(frozen=True, slots=True)
class ToldLaunch:
    """What a job's engine really was (a clamped n_max), and what its launches told."""

    resolved: ResolvedCandidate
    telemetry: dict[str, float]


@dataclass(frozen=True, slots=True)
class LiveEngine:
    """An engine whose job never ended: kill it if its driver is dead and it still runs."""

    job_id: str
    host: str
    pid: int
    pid_started: float
    driver: Driver | None


@dataclass(frozen=True, slots=True)
class QuarantineRow:
    """A rig that gets no more work from the present run of its sweep, and why."""

    rig: str
    reason: str
    began: datetime


@dataclass(frozen=True, slots=True)
class FailureRow:
    """Why a job failed, and on which rig: a perplexity that ran out of memory on one card may
    well run on another of a different `hardware_key`."""

    job_id: str
    diagnosis: Diagnosis
    phase: Phase
    rig: str
    hardware_key: str
    log_tail: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """The best estimate of one metric under one memo key, the build and the job that made it."""

    memo_key: str
    facet: Facet
    estimate: Estimate
    unit: str
    build_label: str
    build_sha256: str
    job_id: str
    simulated: bool

    @property
    def value(self) -> float:
        """The number itself; NaN where the job computed none."""
        return self.estimate.value


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One raw observation, the job that made it and when that job ended."""

    memo_key: str
    facet: Facet
    job_id: str
    recorded: datetime
    sample: Sample


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of some memo keys. A key that was measured once does not count as failed."""

    measured: frozenset[str]
    failed: dict[str, FailureRow]


@dataclass(frozen=True, slots=True)
class TrialResult:
    """A trial with everything that is known of it.

    `estimates` is by metric name; `flags` joins the trial's with its facets'; `gates`, `argv`
    and `log_path` are those of the job that measured its rig-bound facets, or that failed.
    """

    trial: TrialRow
    estimates: dict[str, Measurement]
    failure: FailureRow | None
    flags: tuple[str, ...]
    gates: tuple[GateVerdict, ...]
    jobs: tuple[str, ...]
    argv: tuple[str, ...]
    log_path: str
    simulated: bool
