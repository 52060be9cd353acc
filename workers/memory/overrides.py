"""--override-tensor: which tensors leave the place that their layer has, and where they go.

Source: llama.cpp common/arg.cpp (`pattern=buffer` pairs, split at commas and at the first "=")
and src/llama-model-loader.cpp (the first pattern that is found in a tensor's name decides).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from workers.contract.model_header import ModelHeader
from workers.memory.placement import Placement, Spread

_DEVICE = re.compile(r"(?:CUDA|ROCm|Vulkan|SYCL)(\d+)$")


class OverrideError(Exception):
    """A text that no engine takes, or a buffer that is not modelled; says which part."""


@dataclass(frozen=True, slots=True)
class Move:
    """Bytes that leave their place. `layer` is None outside the layers; `device` None is the host.

    `looked_up`: part of the embedding, which lies on the host unless it is moved.
    """

    n_bytes: int
    layer: int | None
    device: int | None
    looked_up: bool = False


@lru_cache(maxsize=1024)
def moves(header: ModelHeader, text: str, experts_on_host: int = 0) -> tuple[Move, ...]:
    """What a text moves. `experts_on_host` layers' experts are taken by --n-cpu-moe before.

    Raises OverrideError.
    """
    pairs = [_pair(part) for part in text.split(",") if part]
    found: list[Move] = []
    for group in header.weights.groups:
        for layer, name, n_bytes in group.tensors():
            if layer is not None and layer < experts_on_host and group.experts:
                continue
            for pattern, device in pairs:
                if pattern.search(name):
                    found.append(Move(n_bytes, layer, device, group.looked_up))
                    break
    return tuple(found)


def applied(spread: Spread, placement: Placement, moved: tuple[Move, ...]) -> Spread:
    """The weights with what is moved taken from its place and put into another."""
    places = [spread.host, *spread.devices]  # the host first, then the devices
    for move in moved:
        for place, n_bytes in _origin(placement, move):
            places[place] -= n_bytes
        target = 0 if move.device is None else move.device + 1
        if target >= len(places):
            raise OverrideError(f"there is no device {move.device} on this rig")
        places[target] += move.n_bytes
    return Spread(places[0], tuple(places[1:]))


def _origin(placement: Placement, move: Move) -> Iterator[tuple[int, int]]:
    if move.looked_up:
        yield 0, move.n_bytes
        return
    device = placement.device[-1 if move.layer is None else move.layer]
    if device is None:
        yield 0, move.n_bytes
    elif placement.shares is None:
        yield device + 1, move.n_bytes
    else:
        yield from (
            (index + 1, int(move.n_bytes * share)) for index, share in enumerate(placement.shares)
        )


def _pair(part: str) -> tuple[re.Pattern[str], int | None]:
    pattern, equals, buffer = part.partition("=")
    if not equals:
        raise OverrideError(f"{part!r} is no pattern=buffer")
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise OverrideError(f"{pattern!r} is no pattern ({error})") from None
    device = _DEVICE.match(buffer)
    if device is None and not (buffer == "CPU" or buffer.endswith("_Host")):
        raise OverrideError(f"the buffer {buffer!r} is not modelled")
    return compiled, int(device[1]) if device else None
