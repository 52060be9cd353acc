"""One reading for a rig of several cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from workers.gpu.reader import ProcessMemory, Reading

_SUMMED = (
    "mem_used_mib",
    "mem_total_mib",
    "mem_engine_mib",
    "mem_peak_mib",
    "mem_shared_mib",
    "mem_swapped_mib",
    "power_w",
    "energy_j",
    "pcie_rx_mib_s",
    "pcie_tx_mib_s",
)


def combine(readings: Sequence[Reading]) -> Reading:
    """Sums, the hottest, the mean clock, every throttle reason.

    A figure that one card does not tell is not told for the rig: a sum over half the cards
    would pass for the whole.
    """
    if len(readings) == 1:
        return readings[0]
    told = {name: _over(readings, name, sum) for name in _SUMMED}
    throttle = [reading.throttle for reading in readings]
    reasons = [reasons for reasons in throttle if reasons is not None]
    return Reading(
        **told,
        temperature_c=_over(readings, "temperature_c", max),
        sm_clock_mhz=_over(readings, "sm_clock_mhz", _mean),
        mem_clock_mhz=_over(readings, "mem_clock_mhz", _mean),
        throttle=frozenset().union(*reasons) if len(reasons) == len(throttle) else None,
        processes=_processes(readings),
    )


def _over(
    readings: Sequence[Reading], name: str, fold: Callable[[list[float]], float]
) -> float | None:
    values = [getattr(reading, name) for reading in readings]
    known = [value for value in values if value is not None]
    return fold(known) if known and len(known) == len(values) else None


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _processes(readings: Sequence[Reading]) -> tuple[ProcessMemory, ...]:
    held: dict[int, float | None] = {}
    for reading in readings:
        for process in reading.processes:
            before = held.get(process.pid, 0.0)
            known = before is not None and process.mib is not None
            held[process.pid] = (before or 0.0) + (process.mib or 0.0) if known else None
    return tuple(ProcessMemory(pid, mib) for pid, mib in held.items())
