"""Compute buffers cannot be derived from a header, so they are remembered from probes.

They depend on the model, the batch and flash attention, and grow with the context (the
attention mask alone by 1 MiB per 1024 tokens at -ub 512; source: ananke, calibration
HANDOVER.md: "grows by exactly 1.00 MiB per 1024 cache tokens"). Flash attention off
multiplies them by 5 to 17.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ComputeKey:
    """Everything but the context that sizes compute buffers.

    `build` is the engine's hash: graphs change between builds. `drafter_hash` is "" without
    a drafter; `split` the shares of the devices.
    """

    model_hash: str
    n_ubatch: int
    flash_attn: bool
    kv_k: str = "f16"
    kv_v: str = "f16"
    n_seq: int = 1
    spec: str = "none"
    n_max: int = 0
    drafter_hash: str = ""
    build: str = ""
    ngl: int | None = None
    split: tuple[float, ...] = (1.0,)

    def is_like(self, other: ComputeKey) -> bool:
        """Equal but for cache types and draft length."""
        small = {"kv_k": "", "kv_v": "", "n_max": 0}
        return dataclasses.replace(self, **small) == dataclasses.replace(other, **small)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class ComputeSize:
    """Compute buffers in bytes per device; `certain` if no less can be enough."""

    devices: tuple[int, ...]
    certain: bool
    host: int = 0


@dataclass(frozen=True, slots=True)
class Calibration:
    """Probed compute buffers: key -> context in tokens -> what a launch really reserved."""

    probes: Mapping[ComputeKey, Mapping[int, ComputeSize]] = field(default_factory=dict)

    def remember(
        self, key: ComputeKey, ctx: int, devices: tuple[int, ...], host: int = 0
    ) -> Calibration:
        """A calibration that also knows this probe (bytes, from "compute buffer size =")."""
        probe = ComputeSize(devices, certain=True, host=host)
        by_ctx = {**self.probes.get(key, {}), ctx: probe}
        return Calibration({**self.probes, key: by_ctx})

    def lookup(self, key: ComputeKey, ctx: int) -> ComputeSize | None:
        """Compute buffers at a context; None without any probe like this key.

        On a probe exact; between two by the straight line through them; beyond them the
        nearest probe, certain above it (buffers never shrink as the context grows). Without a
        probe of this key, that of a launch that differs in cache types or draft length stands
        for it, as an estimate: both move the buffers by little.
        """
        by_ctx = self.probes.get(key)
        if not by_ctx:
            like = next((known for known in self.probes if known.is_like(key)), None)
            near = None if like is None else self.lookup(like, ctx)
            return None if near is None else dataclasses.replace(near, certain=False)
        if ctx in by_ctx:
            return by_ctx[ctx]
        below = max((known for known in by_ctx if known < ctx), default=None)
        above = min((known for known in by_ctx if known > ctx), default=None)
        if below is None or above is None:
            nearest = by_ctx[next(known for known in (below, above) if known is not None)]
            return dataclasses.replace(nearest, certain=above is None)
        share = (ctx - below) / (above - below)
        return _between(by_ctx[below], by_ctx[above], share)


def _between(low: ComputeSize, high: ComputeSize, share: float) -> ComputeSize:
    pairs = zip((*low.devices, low.host), (*high.devices, high.host), strict=True)
    *devices, host = (round(a + share * (b - a)) for a, b in pairs)
    return ComputeSize(tuple(devices), certain=False, host=host)
