"""A rig's level before a launch, and the telemetry of several launches as one."""

from __future__ import annotations

import os
from collections.abc import Sequence

from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import Sample
from workers.contract.reports import RigKind, RigReport
from workers.engines.base import EngineError
from workers.gpu.sampler import reader_for
from workers.gpu.settle import settle

_SUMS = frozenset({"energy_j", "busy_s", "samples"})
_MOST = frozenset({"mem_loaded_mib", "mem_peak_mib", "mem_used_share", "temp_max_c"})


def settled_level(rig: RigReport, level_mib: float | None) -> float:
    """MiB in use on the rig's cards before a launch; waits until they are back at `level_mib`.

    With None (the first launch) whatever is there now is the level. Raises EngineError when the
    cards stay occupied: the next engine would be promised memory that is not there.
    """
    if rig.kind is not RigKind.CUDA:
        return 0.0
    reader = reader_for(rig, os.getpid())
    try:
        if level_mib is None:
            return reader.read().mem_used_mib or 0.0
        settled = settle(reader, level_mib, rig=rig.name)
    finally:
        reader.close()
    if settled.quarantine is not None:
        advice = "End the process that holds the memory, then run the same command again."
        why = Diagnosis(FailureKind.RIG_OCCUPIED, settled.quarantine, advice, deterministic=False)
        raise EngineError(why, Phase.LOAD)
    return level_mib


def over_launches(
    launches: Sequence[dict[str, float]], samples: Sequence[Sample]
) -> dict[str, float]:
    """One set of figures: sums of energy and time, the most of memory, means of the rest.

    `joules_per_token` is energy while requests were served over the tokens generated in them,
    prompts included: what a person pays per generated token.
    """
    merged: dict[str, float] = {}
    for name in {name for launch in launches for name in launch}:
        values = [launch[name] for launch in launches if name in launch]
        if name in _SUMS:
            merged[name] = sum(values)
        elif name in _MOST or name.startswith("mem_"):
            merged[name] = max(values)
        else:
            merged[name] = sum(values) / len(values)
    tokens = sum(sample.values.get("predicted_n", 0.0) for sample in samples)
    if "energy_j" in merged and tokens > 0:
        merged["joules_per_token"] = merged["energy_j"] / tokens
    return merged
