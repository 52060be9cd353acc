"""What launches told of their memory, remembered for the launches to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workers.contract.reports import RigReport
from workers.contract.resolved import ResolvedCandidate
from workers.memory.calibration import Calibration, ComputeSize
from workers.memory.compute_log import size_of
from workers.memory.model import CUDA_CONTEXT_BYTES
from workers.memory.of_candidate import compute_key
from workers.memory.prediction import Prediction
from workers.memory.terms import MIB


@dataclass
class Probes:
    """What is known for one rig: every launch is a probe.

    `calibration` holds the compute buffers of its log. `overheads` are bytes per card that a
    process takes and that no log names, by build and kind of speculation: what was in use after
    loading, less everything that is accounted for (driver 580, llama.cpp b11434 on an H200:
    589 MiB, and 686 with a DFlash drafter; 338 on an RTX 3090).
    """

    calibration: Calibration = field(default_factory=Calibration)
    overheads: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def untold(self) -> bool:
        """True before any launch told anything."""
        return not self.calibration.probes and not self.overheads

    def learn(
        self, resolved: ResolvedCandidate, rig: RigReport, telemetry: Mapping[str, float]
    ) -> None:
        """Takes in the log of a launch; nothing, where its build tells nothing."""
        size = size_of(telemetry, len(rig.cards))
        if size is not None:
            key, ctx = compute_key(resolved, rig), resolved.candidate.ctx
            self.calibration = self.calibration.remember(key, ctx, size.devices, size.host)

    def learn_overhead(
        self, resolved: ResolvedCandidate, predicted: Prediction, loaded_mib: float
    ) -> None:
        """Takes in what was in use on the cards after loading, MiB over all of them."""
        named = sum(
            device.total(without=frozenset({"context_overhead"})) for device in predicted.devices
        )
        rest = round((loaded_mib * MIB - named) / len(predicted.devices))
        if rest > 0:
            self.overheads[_kind(resolved)] = rest

    def of(self, resolved: ResolvedCandidate, rig: RigReport) -> ComputeSize | None:
        """The compute buffers known for a launch; None without a probe that is like it."""
        return self.calibration.lookup(compute_key(resolved, rig), resolved.candidate.ctx)

    def overhead(self, resolved: ResolvedCandidate) -> int:
        """Bytes per card beside all buffers; a public figure where nothing was launched yet."""
        return self.overheads.get(_kind(resolved), CUDA_CONTEXT_BYTES)


def _kind(resolved: ResolvedCandidate) -> tuple[str, str]:
    return resolved.engine, resolved.candidate.spec
