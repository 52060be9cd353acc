"""Watches a confined program from outside: what the kernel does not bound for all its processes."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Iterator

import psutil

from workers.quality.sandbox.limits import Limits

_LOOK_S = 0.05
_GONE_S = 5.0
_MIB = 1 << 20


class Watch:
    """Ends a program that goes beyond its limits; `verdict` then says, for a person, which.

    A thread of its own: whoever drives the program may be waiting for it.
    """

    def __init__(self, process: subprocess.Popen[bytes], limits: Limits) -> None:
        self.verdict: str | None = None
        self._process = process
        self._limits = limits
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True, name="program-watch")
        self._thread.start()

    def stop(self) -> None:
        """Ends every process of it; safe to call again."""
        self._over.set()
        self._thread.join()
        end(self._process)

    def _look(self) -> None:
        deadline = time.monotonic() + self._limits.wall_s
        while not self._over.wait(_LOOK_S) and self._process.poll() is None:
            self.verdict = self._exceeded(deadline)
            if self.verdict is not None:
                end(self._process)
                return

    def _exceeded(self, deadline: float) -> str | None:
        limits = self._limits
        if time.monotonic() > deadline:
            return f"still ran after {limits.wall_s:g} s"
        family = list(_family(self._process.pid))
        # Twice: the kernel, where it counts, refuses new ones long before; this is for the rest.
        if len(family) > 2 * limits.processes:
            return f"started more than {2 * limits.processes} processes"
        held = sum(_own_bytes(member) for member in family)
        if held > limits.memory_mib * _MIB:
            return f"held more than {limits.memory_mib} MiB"
        return None


def end(process: subprocess.Popen[bytes]) -> None:
    """Kills a program and all that it started. A sandbox's namespace goes with its first."""
    family = list(_family(process.pid))
    for member in family:
        try:
            member.kill()
        except psutil.NoSuchProcess:
            continue  # it was quicker
    if process.poll() is None:
        process.kill()
    process.wait()
    # The first process of a namespace is gone only when all others in it are.
    psutil.wait_procs(family, timeout=_GONE_S)


def _family(pid: int) -> Iterator[psutil.Process]:
    try:
        leader = psutil.Process(pid)
        yield leader
        yield from leader.children(recursive=True)
    except psutil.NoSuchProcess:
        return


def _own_bytes(process: psutil.Process) -> int:
    """What it holds without what it shares: a browser's processes share most of theirs."""
    try:
        held = process.memory_info()
    except psutil.NoSuchProcess:
        return 0
    return int(held.rss) - int(getattr(held, "shared", 0))
