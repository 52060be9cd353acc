"""What a reader of one rig's hardware gives: one reading now, with None for what is not told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ProcessMemory:
    """What one process holds on the rig; MiB is None where the driver does not tell (WSL)."""

    pid: int
    mib: float | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A moment of a rig: sums over its cards for memory, power and energy, the hottest
    temperature, the mean clock.

    Memory in MiB: `used` on the cards by everybody (the driver's own included) or by the
    engine's processes on a CPU rig, `engine` by the engine's processes alone, `peak` the
    operating system's own high-water mark, `shared` system memory that stands in for card
    memory, `swapped` what the system moved out. Power in W, energy in J since the driver was
    loaded, temperature in degrees C, clocks in MHz, PCIe as MiB/s into and out of the cards.
    `throttle` names the reasons the clocks are held down; None where they are not told.
    `cpu_others_s` is the processor time (s, since boot) of everything but the engine, and
    `cpus` how many processors could have given it.
    """

    mem_used_mib: float | None = None
    mem_total_mib: float | None = None
    mem_engine_mib: float | None = None
    mem_peak_mib: float | None = None
    mem_shared_mib: float | None = None
    mem_swapped_mib: float | None = None
    power_w: float | None = None
    energy_j: float | None = None
    temperature_c: float | None = None
    sm_clock_mhz: float | None = None
    mem_clock_mhz: float | None = None
    throttle: frozenset[str] | None = None
    pcie_rx_mib_s: float | None = None
    pcie_tx_mib_s: float | None = None
    cpu_others_s: float | None = None
    cpus: float | None = None
    processes: tuple[ProcessMemory, ...] = ()


class Reader(Protocol):
    """Reads one rig. Never raises for what the hardware does not tell."""

    name: str

    @property
    def unsupported(self) -> tuple[str, ...]:
        """What this rig did not tell when asked, each named once, with the driver's word."""
        ...

    @property
    def throttle_reasons(self) -> tuple[str, ...]:
        """The reasons this reader can name; empty where it knows none."""
        ...

    def read(self) -> Reading:
        """The rig now. Quick enough (under 50 ms) to be called ten times a second."""
        ...

    def close(self) -> None:
        """Gives back what the reader holds; may be called twice."""
        ...
