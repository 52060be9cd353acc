"""Short ways to write a finding, so that a gate's file holds its rule and little else."""

from __future__ import annotations

from collections.abc import Mapping

from search_spaces.candidate import Value
from workers.contract.outcome import GateVerdict
from workers.gates.base import Finding, Gate


def passed(
    gate: Gate,
    detail: str = "",
    *,
    effective: Mapping[str, Value] | None = None,
    recorded: Mapping[str, float] | None = None,
) -> Finding:
    """The check held."""
    verdict = GateVerdict(gate.name, True, detail, gate.fatal)
    return Finding(verdict, dict(effective or {}), dict(recorded or {}))


def failed(
    gate: Gate,
    detail: str,
    *,
    effective: Mapping[str, Value] | None = None,
    recorded: Mapping[str, float] | None = None,
) -> Finding:
    """The check did not hold: fatal where the gate is."""
    verdict = GateVerdict(gate.name, False, detail, gate.fatal)
    return Finding(verdict, dict(effective or {}), dict(recorded or {}))


def flagged(
    gate: Gate,
    detail: str,
    *,
    effective: Mapping[str, Value] | None = None,
    recorded: Mapping[str, float] | None = None,
) -> Finding:
    """The check did not hold, or could not be made, in a way that only marks the numbers."""
    verdict = GateVerdict(gate.name, False, detail, False)
    return Finding(verdict, dict(effective or {}), dict(recorded or {}))
