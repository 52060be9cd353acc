"""Runs the gates of one moment over a scene and sums up what they said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from search_spaces.candidate import Value
from workers.contract.failure import Diagnosis
from workers.contract.outcome import GateVerdict
from workers.gates.base import Gate, Scene
from workers.gates.registry import ALWAYS, MOMENTS, all_gates


@dataclass(frozen=True)
class GateReport:
    """What the gates of one moment said.

    `effective` is what the engine really did where that differs from what was asked, or where
    the candidate left it open. `fatal` is set when the job must fail. `flags` are the names of
    the gates that mark the numbers. `recorded` are numbers to keep with the measurement.
    """

    verdicts: tuple[GateVerdict, ...] = ()
    effective: dict[str, Value] = field(default_factory=dict)
    fatal: Diagnosis | None = None
    flags: tuple[str, ...] = ()
    recorded: dict[str, float] = field(default_factory=dict)


def run_gates(scene: Scene, when: str, gates: Sequence[Gate] | None = None) -> GateReport:
    """Every gate of a moment ("launch" or "measured") is asked, also after one has failed.

    Of several fatal verdicts an infrastructure one decides (whatever else was observed, it was
    observed on somebody else's server), then the first. Raises ValueError for another moment.
    """
    if when not in MOMENTS:
        raise ValueError(f"{when!r} is not a moment at which gates run; it is one of {MOMENTS}")
    known = all_gates() if gates is None else gates
    asked = [gate for gate in known if gate.when in (when, ALWAYS)]
    verdicts: list[GateVerdict] = []
    fatal: list[tuple[Gate, GateVerdict]] = []
    effective: dict[str, Value] = {}
    recorded: dict[str, float] = {}
    for gate in asked:
        finding = gate.check(scene)
        if finding is None:
            continue
        verdicts.append(finding.verdict)
        effective |= finding.effective
        recorded |= finding.recorded
        if finding.verdict.fatal and not finding.verdict.passed:
            fatal.append((gate, finding.verdict))
    fatal.sort(key=lambda pair: not pair[0].kind.is_infrastructure)
    return GateReport(
        verdicts=tuple(verdicts),
        effective=effective,
        fatal=_diagnosis(*fatal[0]) if fatal else None,
        flags=tuple(v.gate for v in verdicts if not v.passed and not v.fatal),
        recorded=recorded,
    )


def _diagnosis(gate: Gate, verdict: GateVerdict) -> Diagnosis:
    return Diagnosis(
        kind=gate.kind,
        evidence=verdict.detail,
        advice=gate.advice,
        deterministic=not gate.kind.is_infrastructure,
        detail=gate.name,
    )
