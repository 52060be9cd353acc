"""What a gate is: a check that must pass before a number counts.

Each gate is a small class in a file of its own; its docstring says which real-world lie it
catches. A gate looks at a `Scene` and gives a verdict; it measures nothing and starts nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from search_spaces.candidate import Candidate, Value
from workers.contract.failure import FailureKind
from workers.contract.outcome import GateVerdict
from workers.contract.reports import Capabilities, RigReport
from workers.http.completion import Completion


@dataclass(frozen=True)
class Scene:
    """Everything a gate may look at. What was not observed is empty, never made up.

    `canaries` are the completions made before measuring (the same repetitive text at least
    twice), `measured` the timed ones, each prompt asked `passes` times, `deep` those with a
    filled context behind the tokens that each one's prompt is. `metrics_before`/`metrics_after`
    bracket the canaries. `pid_owns_port` is None where the system does not tell.
    `natural_lengths` holds, for each of `measured`, how many tokens the model gives for that
    prompt before it ends by itself, None where that was not asked.
    `telemetry` is the summary of a `workers.gpu.sampler.Sampler`. `card_pids` are the processes
    that compute on each card of the host, by UUID, and `engine_pids` those of the engine.
    """

    candidate: Candidate
    model: Path
    drafter: Path | None
    rig: RigReport
    capabilities: Capabilities | None
    props: Mapping[str, Any] = field(default_factory=dict)
    slots: Sequence[Mapping[str, Any]] = ()
    log: str = ""
    canaries: Sequence[Completion] = ()
    measured: Sequence[Completion] = ()
    passes: int = 1
    deep: Sequence[tuple[int, Completion]] = ()
    metrics_before: Mapping[str, float] = field(default_factory=dict)
    metrics_after: Mapping[str, float] = field(default_factory=dict)
    pid_owns_port: bool | None = None
    telemetry: Mapping[str, float] = field(default_factory=dict)
    rate_without_draft: float | None = None
    natural_lengths: Sequence[int | None] = ()
    card_pids: Mapping[str, frozenset[int]] = field(default_factory=dict)
    engine_pids: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Finding:
    """A verdict with what the engine really did, where the gate found that out.

    `recorded` are numbers worth keeping beside the measurement (a share of repeated text).
    """

    verdict: GateVerdict
    effective: Mapping[str, Value] = field(default_factory=dict)
    recorded: Mapping[str, float] = field(default_factory=dict)


class Gate(Protocol):
    """`when` is "launch" (before anything is timed), "deep" (after the requests with a filled
    context), "measured" (after the last pass) or "always" (at each, for what is cheap to see early
    and may also come late).

    `fatal` gates fail the job with `kind`; the others flag its numbers with their name. A verdict
    of a fatal gate may be milder than the gate: where the sign could not be observed at all, the
    numbers are flagged. `advice` is the sentence a person gets with a fatal verdict.
    """

    name: str
    when: str
    fatal: bool
    kind: FailureKind
    advice: str

    def check(self, scene: Scene) -> Finding | None:
        """The verdict, or None where this gate does not apply."""
        ...
