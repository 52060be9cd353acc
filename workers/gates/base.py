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
    twice), `measured` the timed ones. `metrics_before`/`metrics_after` bracket the canaries.
    `pid_owns_port` is None where the system does not tell.
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
    metrics_before: Mapping[str, float] = field(default_factory=dict)
    metrics_after: Mapping[str, float] = field(default_factory=dict)
    pid_owns_port: bool | None = None
    telemetry: Mapping[str, float] = field(default_factory=dict)
    rate_without_draft: float | None = None


@dataclass(frozen=True)
class Finding:
    """A verdict with what the engine really did, where the gate found that out."""

    verdict: GateVerdict
    effective: Mapping[str, Value] = field(default_factory=dict)


class Gate(Protocol):
    """`when` is "launch" (before anything is timed) or "measured" (after the last pass).

    `fatal` gates fail the job with `kind`; the others flag its numbers with their name.
    """

    name: str
    when: str
    fatal: bool
    kind: FailureKind

    def check(self, scene: Scene) -> Finding | None:
        """The verdict, or None where this gate does not apply."""
        ...
