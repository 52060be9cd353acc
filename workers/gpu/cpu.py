"""A CPU rig: the memory of the engine's processes, as the operating system counts it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import psutil

from workers.gpu.process_tree import ProcessTree
from workers.gpu.reader import ProcessMemory, Reading

_MIB = 1024.0 * 1024.0
_KB_FIELDS = {"VmRSS": "rss", "VmHWM": "peak", "VmSwap": "swapped"}


class CpuReader:
    """Resident memory of a process and its children.

    Weights mapped from a file count as far as they were touched, which after a warm-up is all
    of them. A CPU tells neither its power nor its throttling to ordinary users.
    """

    name = "cpu"

    def __init__(self, pid: int, proc: Path = Path("/proc")) -> None:
        self._tree = ProcessTree(pid)
        self._proc = proc
        self._total = psutil.virtual_memory().total / _MIB

    @property
    def unsupported(self) -> tuple[str, ...]:
        """What a CPU rig never tells."""
        return ("power: a CPU rig does not tell", "throttle reasons: a CPU rig does not tell")

    @property
    def throttle_reasons(self) -> tuple[str, ...]:
        """None."""
        return ()

    def read(self) -> Reading:
        """Sums over the processes that still live; nothing is told when none does."""
        found = {pid: told for pid in self._tree.pids() if (told := self._told(pid))}
        if not found:
            return Reading(mem_total_mib=self._total)
        rss = sum(told["rss"] for told in found.values())
        return Reading(
            mem_used_mib=rss,
            mem_total_mib=self._total,
            mem_engine_mib=rss,
            mem_peak_mib=sum(told.get("peak", told["rss"]) for told in found.values()),
            mem_swapped_mib=sum(told.get("swapped", 0.0) for told in found.values()),
            processes=tuple(ProcessMemory(pid, told["rss"]) for pid, told in found.items()),
            cpu_others_s=cpu_others_s(found),
            cpus=psutil.cpu_count() or 1,
        )

    def close(self) -> None:
        """Nothing is held."""

    def _told(self, pid: int) -> dict[str, float] | None:
        """MiB by name; None for a process that has ended, or that is a zombie without memory."""
        try:
            status = (self._proc / str(pid) / "status").read_text()
        except FileNotFoundError:
            if self._proc.exists():
                return None
        except (ProcessLookupError, PermissionError):
            return None
        else:
            return parse_status(status)
        try:  # no /proc: macOS, Windows
            return {"rss": psutil.Process(pid).memory_info().rss / _MIB}
        except psutil.Error:
            return None


def cpu_others_s(engine: Iterable[int]) -> float | None:
    """Processor time of everything but these processes, s since boot; None where not told.

    Time stolen by other virtual machines counts: it slows an engine just the same.
    """
    times = psutil.cpu_times()
    idle = times.idle + getattr(times, "iowait", 0.0)
    # guest time is part of user time already (proc(5)).
    guest = getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)
    busy = sum(times) - idle - guest
    try:
        own = [psutil.Process(pid).cpu_times() for pid in engine]
    except psutil.Error:
        return None
    return busy - sum(one.user + one.system for one in own)


def parse_status(text: str) -> dict[str, float] | None:
    """The memory lines (kB) of /proc/PID/status as MiB; None where there are none (a zombie)."""
    told: dict[str, float] = {}
    for line in text.splitlines():
        field, _, value = line.partition(":")
        words = value.split()
        if field in _KB_FIELDS and len(words) == 2 and words[0].isdigit():
            told[_KB_FIELDS[field]] = int(words[0]) / 1024.0
    return told if "rss" in told else None
