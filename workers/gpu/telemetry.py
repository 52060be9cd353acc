"""From many readings to the few figures that a trace keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from workers.contract.outcome import Series
from workers.gpu.reader import Reading

COLUMNS = ("at_s", "mem_used_mib", "power_w", "temperature_c", "sm_clock_mhz")
Getter = Callable[[Reading], float | None]


@dataclass(frozen=True, slots=True)
class Moment:
    """A reading, and when it was taken (s, monotonic). `busy`: while requests were served."""

    at_s: float
    reading: Reading
    busy: bool = True


def summarise(
    moments: Sequence[Moment], before_mib: float = 0.0, reasons: Iterable[str] = ()
) -> dict[str, float]:
    """The figures that were told; what was not is absent, never 0.

    mem_loaded_mib, mem_peak_mib   of the engine: its processes' own share where the rig tells
                                   it, else what the rig holds above `before_mib`
    mem_before_mib, mem_total_mib  the rig before the launch, and all it has
    mem_used_share                 most of the rig's memory in use, by anybody
    mem_shared_growth_mib, mem_swapped_mib   signs of a spill
    power_w, sm_clock_mhz          means over the busy moments
    energy_j, busy_s               over the busy moments; from the counter where there is one
    cpu_others_share               of the host's processors, taken by everything but the engine
    temp_max_c, pcie_rx_mib_s (mean), pcie_rx_max_mib_s
    throttle_<reason>              share of the busy moments, for each reason the rig can name
    samples, samples_hz            how many moments there are
    """
    if not moments:
        return {}
    busy = [m for m in moments if m.busy] or list(moments)
    told: dict[str, float | None] = {
        **_memory(moments, before_mib),
        "power_w": _mean(busy, lambda r: r.power_w),
        "sm_clock_mhz": _mean(busy, lambda r: r.sm_clock_mhz),
        "temp_max_c": _most(moments, lambda r: r.temperature_c),
        "pcie_rx_mib_s": _mean(busy, lambda r: r.pcie_rx_mib_s),
        "pcie_rx_max_mib_s": _most(busy, lambda r: r.pcie_rx_mib_s),
        **_energy(moments),
        "cpu_others_share": _others(moments),
        "samples": float(len(moments)),
    }
    span = moments[-1].at_s - moments[0].at_s
    if span > 0:
        told["samples_hz"] = (len(moments) - 1) / span
    asked = [m.reading.throttle for m in busy if m.reading.throttle is not None]
    for reason in reasons if asked else ():
        told[f"throttle_{reason}"] = sum(reason in seen for seen in asked) / len(asked)
    return {name: value for name, value in told.items() if value is not None}


def thin(moments: Sequence[Moment], most: int = 200) -> Series:
    """At most `most` rows, evenly picked, the last one included; of columns that were told."""
    if not moments:
        return Series(COLUMNS[:1], ())
    step = max(1, -(-len(moments) // most))
    kept = list(moments[::step])
    if kept[-1] is not moments[-1]:
        kept[-1] = moments[-1]
    told = [
        name
        for name in COLUMNS[1:]
        if any(getattr(moment.reading, name) is not None for moment in kept)
    ]
    start = moments[0].at_s
    return Series(
        (COLUMNS[0], *told),
        tuple(
            (round(m.at_s - start, 2), *(_short(getattr(m.reading, name)) for name in told))
            for m in kept
        ),
    )


def _short(value: float | None) -> float | None:
    """A tenth is more than a reading is good for, and there are many of them."""
    return None if value is None else round(value, 1)


def _memory(moments: Sequence[Moment], before_mib: float) -> dict[str, float | None]:
    # The engine's own share is asked for less often: the first that was told stands for "loaded".
    own = _values(moments, lambda r: r.mem_engine_mib)
    held = own or [max(used - before_mib, 0.0) for used in _values(moments, _used)]
    used, total = _most(moments, _used), _most(moments, lambda r: r.mem_total_mib)
    marks = _values(moments, lambda r: r.mem_peak_mib)
    shared = _values(moments, lambda r: r.mem_shared_mib)
    # Between two looks at a process's share the card's total may have gone higher.
    above = max(_values(moments, _used), default=0.0) - next(iter(_values(moments, _used)), 0.0)
    peak = max([*held, *marks, *([held[0] + above] if held else [])], default=None)
    return {
        "mem_before_mib": before_mib,
        "mem_loaded_mib": held[0] if held else None,
        "mem_peak_mib": peak,
        "mem_total_mib": total,
        "mem_used_share": used / total if used is not None and total else None,
        "mem_shared_growth_mib": max(shared) - shared[0] if shared else None,
        "mem_swapped_mib": _most(moments, lambda r: r.mem_swapped_mib),
    }


def _energy(moments: Sequence[Moment]) -> dict[str, float | None]:
    """J and s summed over the stretches of busy moments that follow one another."""
    energy: list[float] = []
    busy_s = 0.0
    counted = all(m.reading.energy_j is not None for m in moments)
    for here, then in pairwise(moments):
        if not (here.busy and then.busy):
            continue
        gap = then.at_s - here.at_s
        busy_s += gap
        a, b = here.reading, then.reading
        if counted and a.energy_j is not None and b.energy_j is not None:
            energy.append(b.energy_j - a.energy_j)
        elif a.power_w is not None and b.power_w is not None:
            energy.append((a.power_w + b.power_w) / 2 * gap)
    return {"energy_j": sum(energy) if energy else None, "busy_s": busy_s}


def _others(moments: Sequence[Moment]) -> float | None:
    """Processor time that others took over the busy stretches, as a share of all there was."""
    taken = there_was = 0.0
    for here, then in pairwise(moments):
        a, b = here.reading, then.reading
        if here.busy and then.busy and a.cpu_others_s is not None and b.cpu_others_s is not None:
            taken += b.cpu_others_s - a.cpu_others_s
            there_was += (then.at_s - here.at_s) * (b.cpus or 1)
    return min(1.0, max(0.0, taken / there_was)) if there_was > 0 else None


def _used(reading: Reading) -> float | None:
    return reading.mem_used_mib


def _values(moments: Iterable[Moment], get: Getter) -> list[float]:
    return [value for m in moments if (value := get(m.reading)) is not None]


def _mean(moments: Iterable[Moment], get: Getter) -> float | None:
    values = _values(moments, get)
    return sum(values) / len(values) if values else None


def _most(moments: Iterable[Moment], get: Getter) -> float | None:
    return max(_values(moments, get), default=None)
