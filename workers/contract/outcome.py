"""What comes back from a job. Raw values, never only rates: those can be computed again."""

from __future__ import annotations

from dataclasses import dataclass, field

from search_spaces.candidate import Value
from search_spaces.metrics import Facet
from workers.contract.failure import Diagnosis, Phase
from workers.contract.reports import Build


@dataclass(frozen=True, slots=True)
class Sample:
    """One raw observation.

    Throughput: `label` is the prompt's id, `group` its class, `values` has prompt_n, prompt_ms,
    predicted_n, predicted_ms, draft_n, draft_n_accepted, ttft_ms, wall_ms; where the build
    counts them drafts_n and accepted_at_1, accepted_at_2, … (by position in the draft); where the
    rig tells it energy_j (the launch's, shared out by time). Depth: the same, with the depth's
    name as `group` and its tokens as `depth`. Perplexity: `label` is the chunk's number, `values`
    has nll (sum, nats) and tokens. `launch` and `repeat` count from 0.
    """

    label: str
    values: dict[str, float]
    launch: int = 0
    repeat: int = 0
    group: str = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval; `low` and `high` are None where none can be given."""

    metric: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int = 1


@dataclass(frozen=True, slots=True)
class FacetResult:
    """One facet measured: which build made it, the raw samples, and the estimates from them."""

    facet: Facet
    memo_key: str
    build: Build
    estimates: tuple[Estimate, ...]
    samples: tuple[Sample, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """What one gate said. A failed one that is `fatal` made the job fail; otherwise it flags."""

    gate: str
    passed: bool
    detail: str = ""
    fatal: bool = True


@dataclass(frozen=True, slots=True)
class Series:
    """A thinned course of one launch's telemetry: `rows` follow `columns`, the first is `at_s`.

    Names carry their units (power_w, mem_used_mib); None is what the rig did not tell.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class LaunchRecord:
    """One start of an engine: what was run, how long the start took (s), where its log is.

    `series` is the rig's telemetry while it ran; None where nothing was read.
    """

    argv: tuple[str, ...]
    log_path: str
    pid: int
    start_s: float
    pid_started: float = 0.0
    series: Series | None = None


@dataclass(frozen=True, slots=True)
class JobTrace:
    """How a job went: its launches, gates, what the engine really did, and where time went (s)."""

    launches: tuple[LaunchRecord, ...] = ()
    gates: tuple[GateVerdict, ...] = ()
    effective: dict[str, Value] = field(default_factory=dict)
    start_s: float = 0.0
    facets_s: float = 0.0
    wall_s: float = 0.0
    telemetry: dict[str, float] = field(default_factory=dict)
    log_tail: str = ""


@dataclass(frozen=True, slots=True)
class Completed:
    """Every facet of the job was measured, or the launch was one already known (`same_as`)."""

    job_id: str
    results: tuple[FacetResult, ...]
    trace: JobTrace = JobTrace()
    same_as: str | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """The job failed; `results` keeps the facets that were measured before."""

    job_id: str
    diagnosis: Diagnosis
    phase: Phase
    results: tuple[FacetResult, ...] = ()
    trace: JobTrace = JobTrace()


Outcome = Completed | Failed
