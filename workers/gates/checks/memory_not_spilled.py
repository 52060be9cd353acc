"""memory_not_spilled: everything stayed in the memory it was meant for."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, passed

_GROWTH_MIB = 64.0  # less is noise of a desktop
_FULL_SHARE = 0.94  # drivers spill before a card looks full: 446 of 10240 MiB were still free
_BUSY_MIB_S = 2048.0  # host to card; generation itself sends the card a few MiB/s at most


class MemoryNotSpilled:
    """Catches a configuration that does not fit and does not say so.

    On Windows and WSL the driver moves what does not fit into system memory, and on a CPU rig
    the system swaps: no error, half the speed (45.0 to 23.6 tok/s for 8K more context). The
    signs are shared memory that grew, swap in use, or a nearly full card that reads from the
    host at gigabytes per second while it generates.
    """

    name = "memory_not_spilled"
    when = "measured"
    fatal = True
    kind = FailureKind.MEMORY_SPILL
    advice = "This does not fit: use a shorter context, a smaller KV type or a smaller model."

    def check(self, scene: Scene) -> Finding | None:
        """None without telemetry."""
        seen = scene.telemetry
        if not seen:
            return None
        grown = seen.get("mem_shared_growth_mib", 0.0)
        if grown > _GROWTH_MIB:
            return failed(self, f"{grown:.0f} MiB of system memory stand in for card memory")
        swapped = seen.get("mem_swapped_mib", 0.0)
        if swapped > _GROWTH_MIB:
            return failed(self, f"{swapped:.0f} MiB of the engine are swapped out")
        full, read = seen.get("mem_used_share", 0.0), seen.get("pcie_rx_mib_s", 0.0)
        if full > _FULL_SHARE and read > _BUSY_MIB_S and self._stays_on_card(scene):
            return failed(
                self, f"the card is {full:.0%} full and reads {read:.0f} MiB/s from the host"
            )
        return passed(self)

    def _stays_on_card(self, scene: Scene) -> bool:
        """Where layers or experts are on the CPU, or cards exchange tensors, traffic is normal."""
        asked = scene.candidate
        whole = not asked.ngl.isdigit() or int(asked.ngl) >= 99
        return whole and not (asked.n_cpu_moe or asked.override_tensor) and len(scene.rig.cards) < 2


GATE = MemoryNotSpilled()
