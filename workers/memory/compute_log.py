"""Compute buffers as a load log reports them: what no header tells."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from workers.memory.calibration import ComputeSize
from workers.memory.terms import MIB

PREFIX = "compute_mib."  # of the names under which a job's telemetry keeps them

_LINE = re.compile(
    r"(?P<context>constructing llama_context)"
    r"|: +(?P<device>\S+) compute buffer size = +(?P<mib>[\d.]+) MiB"
    r"|graph: nodes += +(?P<nodes>\d+)"
)


@dataclass
class _Context:
    """One llama_context: its buffers by device, and the size of its graph."""

    buffers: dict[str, float] = field(default_factory=dict)
    nodes: int = 0


def compute_buffers(log: str) -> dict[str, float]:
    """MiB by device (`CUDA0`, `CUDA_Host`, `CPU`), all contexts of the process added up.

    A context may reserve again (for a drafter that reads its states, for other samplers): the
    later buffers replace the earlier ones. The log does not name the context then; its graph is
    about as large as before, and a drafter's is ten times smaller than its target's (b11434:
    1299 and 1299 nodes for the target, 109 and 130 for the drafter). Empty where a build says
    nothing.
    """
    contexts: list[_Context] = []
    pending: dict[str, float] = {}
    begun = 0
    for found in _LINE.finditer(log):
        if found["context"]:
            begun += 1
        elif found["device"]:
            pending[found["device"]] = float(found["mib"])
        elif pending:
            _of(contexts, begun, int(found["nodes"])).buffers.update(pending)
            pending = {}
    if pending:  # a build that does not tell the size of its graphs
        contexts.append(_Context(pending))
    total: dict[str, float] = {}
    for context in contexts:
        for device, mib in context.buffers.items():
            total[device] = total.get(device, 0.0) + mib
    return total


def _of(contexts: list[_Context], begun: int, nodes: int) -> _Context:
    """The context that reserves: a new one where one was begun, else the one most alike."""
    if len(contexts) < begun or not contexts:
        contexts.append(_Context(nodes=nodes))
        return contexts[-1]
    alike = min(contexts, key=lambda one: abs(math.log(max(one.nodes, 1) / max(nodes, 1))))
    alike.nodes = nodes
    return alike


def told(log: str) -> dict[str, float]:
    """The same, named as telemetry keeps it."""
    return {PREFIX + device: mib for device, mib in compute_buffers(log).items()}


def size_of(telemetry: Mapping[str, float], devices: int) -> ComputeSize | None:
    """What a launch reserved on a rig of so many devices; None where it was not told.

    Devices count from 0 in the order of the rig (`CUDA0`); whatever has no number is the host.
    """
    found = {name.removeprefix(PREFIX): mib for name, mib in telemetry.items() if PREFIX in name}
    if not found:
        return None
    on_devices, host = [0.0] * devices, 0.0
    for name, mib in found.items():
        number = re.fullmatch(r"[A-Za-z]+(\d+)", name)
        if number and int(number[1]) < devices:
            on_devices[int(number[1])] += mib
        else:
            host += mib
    return ComputeSize(tuple(round(mib * MIB) for mib in on_devices), True, round(host * MIB))
