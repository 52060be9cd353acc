"""Compute buffers that launches really reserved, remembered for the launches to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workers.contract.reports import RigReport
from workers.contract.resolved import ResolvedCandidate
from workers.memory.calibration import Calibration, ComputeSize
from workers.memory.compute_log import size_of
from workers.memory.of_candidate import compute_key


@dataclass
class Probes:
    """What is known for one rig: every launch is a probe."""

    calibration: Calibration = field(default_factory=Calibration)

    def learn(
        self, resolved: ResolvedCandidate, rig: RigReport, telemetry: Mapping[str, float]
    ) -> None:
        """Takes in what a launch told of itself; nothing, where its build tells nothing."""
        size = size_of(telemetry, len(rig.cards))
        if size is not None:
            key, ctx = compute_key(resolved, rig), resolved.candidate.ctx
            self.calibration = self.calibration.remember(key, ctx, size.devices, size.host)

    def of(self, resolved: ResolvedCandidate, rig: RigReport) -> ComputeSize | None:
        """What is known for a launch; None without a probe that is like it."""
        return self.calibration.lookup(compute_key(resolved, rig), resolved.candidate.ctx)
