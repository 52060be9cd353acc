"""layers_on_device: the layers that should be on the GPU are there."""

from __future__ import annotations

import re

from workers.contract.failure import FailureKind
from workers.contract.reports import RigKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, flagged, passed
from workers.gates.log_sections import draft_part, line_of, target_part

_OFFLOADED = re.compile(r"offloaded (\d+)/(\d+) layers to GPU")
_NO_GPU = re.compile(
    r"no usable GPU found|compiled without (?:support for )?GPU|failed to initialize CUDA"
    r"|no CUDA-capable device is detected",
    re.IGNORECASE,
)


class LayersOnDevice:
    """Catches an engine that runs on the CPU while a GPU is leased for it.

    A build without CUDA, a driver older than the runtime or a container without the device all
    end in one warning and a server that answers, thirty times slower.
    """

    name = "layers_on_device"
    when = "launch"
    fatal = True
    kind = FailureKind.SILENT_CPU_FALLBACK
    advice = "Use a build for this card, and check that the driver is at least as new as its CUDA."

    def check(self, scene: Scene) -> Finding | None:
        """None on a CPU rig."""
        if scene.rig.kind is RigKind.CPU:
            return None
        if no_gpu := _NO_GPU.search(scene.log):
            return failed(self, line_of(scene.log, no_gpu))
        target = _OFFLOADED.search(target_part(scene.log))
        if target is None:
            return flagged(self, "the log does not say how many layers are on the GPU")
        on_device, layers = int(target[1]), int(target[2])
        if on_device < _wanted(scene.candidate.ngl, layers):
            return failed(self, line_of(target_part(scene.log), target))
        drafter = _OFFLOADED.search(draft_part(scene.log))
        if drafter and int(drafter[1]) < int(drafter[2]) and scene.candidate.draft_device is None:
            return failed(self, f"the drafter: {line_of(draft_part(scene.log), drafter)}")
        return passed(self, f"{on_device} of {layers} layers")


def _wanted(ngl: str, layers: int) -> int:
    """How many layers the candidate asked for; more than there are means all."""
    return min(int(ngl), layers) if ngl.isdigit() else layers


GATE = LayersOnDevice()
