"""Which layer lives on which device.

Source: llama.cpp src/llama-model.cpp, `get_layer_buft_list`: the last layers go to the
devices, the output counts as one more layer, and the split points are cumulative shares.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from workers.memory.request import MemoryRequest


@dataclass(frozen=True, slots=True)
class Spread:
    """Bytes of one term by place."""

    host: int
    devices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """The device of each layer, the output last; None is the CPU.

    With `shares` (split mode "tensor") every offloaded layer is cut over all devices.
    """

    device: tuple[int | None, ...]
    n_devices: int
    shares: tuple[float, ...] | None = None

    def spread(self, per_layer: Sequence[int], output: int = 0) -> Spread:
        """Add up per-layer bytes (and the output's) by place."""
        host, devices = 0, [0] * self.n_devices
        for place, n_bytes in zip(self.device, (*per_layer, output), strict=True):
            if place is None:
                host += n_bytes
            elif self.shares is None:
                devices[place] += n_bytes
            else:
                for index, share in enumerate(self.shares):
                    devices[index] += int(n_bytes * share)
        return Spread(host, tuple(devices))


def place(request: MemoryRequest, n_layer_all: int, ngl: int | None) -> Placement:
    """Where the layers of one model go; `n_layer_all` includes next-token layers."""
    n_slots = n_layer_all + 1
    if not request.split or ngl == 0:
        return Placement((None,) * n_slots, len(request.split))
    n_offloaded = n_slots if ngl is None else max(0, min(ngl, n_slots))
    total = sum(request.split)
    shares = tuple(share / total for share in request.split)
    points = list(itertools.accumulate(shares))
    points[-1] = 2.0  # rounding must not push the output past the last device
    device: list[int | None] = [None] * (n_slots - n_offloaded)
    device += [bisect.bisect_right(points, slot / n_offloaded) for slot in range(n_offloaded)]
    cut = request.split_mode == "tensor" and len(shares) > 1
    return Placement(tuple(device), len(shares), shares if cut else None)
