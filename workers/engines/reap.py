"""Ends engines that an earlier run recorded and left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import psutil

# psutil derives start times from the boot time, which some kernels round to a second anew for
# every process that asks; a process id is not used twice within so short a time.
_TOLERANCE_S = 2.0


def reap(records: Iterable[tuple[int, float]], grace_s: float = 5.0) -> list[int]:
    """Ends each recorded (pid, start time in s since the epoch) that still runs; returns those.

    Only a process with both the id and the start time is touched: the id alone may by now
    belong to anybody. A start time of 0 (not recorded) matches nothing.
    """
    found = [process for pid, started in records if (process := _running(pid, started))]
    for process in found:
        _quietly(process.terminate)
    _, stubborn = psutil.wait_procs(found, timeout=grace_s)
    for process in stubborn:
        _quietly(process.kill)
    _, left = psutil.wait_procs(stubborn, timeout=grace_s)
    return sorted({process.pid for process in found} - {process.pid for process in left})


def _running(pid: int, started: float) -> psutil.Process | None:
    if pid <= 1 or started <= 0:
        return None
    try:
        process = psutil.Process(pid)
        if abs(process.create_time() - started) > _TOLERANCE_S:
            return None
        return None if process.status() == psutil.STATUS_ZOMBIE else process
    except psutil.Error:
        return None


def _quietly(action: Callable[[], None]) -> None:
    """A process that ended meanwhile, or that is not ours to end, is no reason to stop."""
    try:
        action()
    except psutil.Error:
        return
