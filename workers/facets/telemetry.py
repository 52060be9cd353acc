"""A rig's level before a launch, and the telemetry of several launches as one."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import Sample
from workers.contract.reports import RigKind, RigReport
from workers.engines.base import EngineError
from workers.gpu.reader import Reader
from workers.gpu.sampler import reader_for
from workers.gpu.settle import settle

_SUMS = frozenset({"energy_j", "busy_s", "samples"})
_MOST = ("mem_", "temp_max", "pcie_rx_max")  # what such names begin with: the most counts


class Level:
    """What is in use on a rig's cards while no engine runs; lives as long as its worker.

    It is read before the first launch. An engine's memory comes back late, and the next launch
    is nearly always another candidate's: so the level must outlive a job.
    """

    def __init__(self, rig: RigReport) -> None:
        self._rig = rig
        self._mib: float | None = None

    def settled_mib(self) -> float:
        """MiB in use before a launch; waits until the cards are back at their level.

        Raises EngineError when they stay occupied: the next engine would be promised memory
        that is not there.
        """
        if self._rig.kind is not RigKind.CUDA:
            return 0.0
        reader = open_reader(self._rig, os.getpid(), Phase.LOAD)
        try:
            if self._mib is None:
                self._mib = reader.read().mem_used_mib or 0.0
                return self._mib
            settled = settle(reader, self._mib, rig=self._rig.name)
        finally:
            reader.close()
        if settled.quarantine is not None:
            advice = "End the process that holds the memory, then run the same command again."
            raise EngineError(
                Diagnosis(FailureKind.RIG_OCCUPIED, settled.quarantine, advice, False), Phase.LOAD
            )
        return settled.mem_used_mib or 0.0


def open_reader(rig: RigReport, pid: int, phase: Phase) -> Reader:
    """The rig's reader. Raises EngineError where a card of it is not there any more."""
    try:
        return reader_for(rig, pid)
    except LookupError as error:
        why = Diagnosis(
            FailureKind.WORKER_LOST,
            f"rig {rig.name}: {error.args[0]}",
            "Look at the card with nvidia-smi; one that fell off the bus is back after a restart.",
            deterministic=False,
        )
        raise EngineError(why, phase) from None


def over_launches(launches: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """One set of figures: sums of energy and time, the most of memory, means of the rest."""
    merged: dict[str, float] = {}
    for name in sorted({name for launch in launches for name in launch}):
        values = [launch[name] for launch in launches if name in launch]
        if name in _SUMS:
            merged[name] = sum(values)
        elif name.startswith(_MOST):
            merged[name] = max(values)
        else:
            merged[name] = sum(values) / len(values)
    return merged


def with_energy(
    samples: Sequence[Sample], launches: Sequence[Mapping[str, float]]
) -> tuple[Sample, ...]:
    """The samples with `energy_j`: their launch's energy while serving, shared out by time.

    So energy per token, prompts included, is a ratio of sums like any other, with an interval
    from launches. Samples stay as they are where some launch did not tell its energy.
    """
    if not all("energy_j" in launch for launch in launches):
        return tuple(samples)
    served_ms = [0.0] * len(launches)
    for sample in samples:
        served_ms[sample.launch] += sample.values["wall_ms"]
    return tuple(
        replace(
            sample,
            values={
                **sample.values,
                "energy_j": launches[sample.launch]["energy_j"]
                * sample.values["wall_ms"]
                / served_ms[sample.launch],
            },
        )
        for sample in samples
    )
