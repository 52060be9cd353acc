"""Before the next launch: is the rig's memory back at its level?

Drivers free an engine's memory late, and a process that hangs in the kernel keeps it. The next
engine would then fail for memory it was promised, or spill, and its candidate would be blamed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from workers.gpu.reader import Reader, Reading

TOLERANCE_MIB = 64.0  # a desktop draws its windows


@dataclass(frozen=True, slots=True)
class Settled:
    """How waiting ended: after `waited_s` at `mem_used_mib`.

    `quarantine` is None when the rig may be used, else the sentence that says why not.
    """

    waited_s: float
    mem_used_mib: float | None
    quarantine: str | None = None

    @property
    def ready(self) -> bool:
        """Whether the next engine may be started."""
        return self.quarantine is None


def settle(
    reader: Reader,
    level_mib: float,
    *,
    rig: str = "the rig",
    tolerance_mib: float = TOLERANCE_MIB,
    timeout_s: float = 30.0,
    poll_s: float = 0.25,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Settled:
    """Waits until no more than `level_mib` (with a tolerance) is in use, at most `timeout_s`.

    A rig that does not tell its memory cannot be waited for and counts as ready: a card with
    memory shared with the system, or a CPU rig whose engine has ended.
    """
    began = clock()
    while True:
        reading = reader.read()
        waited, used = clock() - began, reading.mem_used_mib
        if used is None or used <= level_mib + tolerance_mib:
            return Settled(waited, used)
        if waited >= timeout_s:
            return Settled(waited, used, _sentence(rig, reading, used - level_mib, waited))
        sleep(poll_s)


def _sentence(rig: str, reading: Reading, above_mib: float, waited_s: float) -> str:
    holders = [
        f"pid {p.pid}" + (f" ({p.mib:.0f} MiB)" if p.mib is not None else "")
        for p in reading.processes
    ]
    who = f" Held by {', '.join(holders)}." if holders else " No process admits to holding it."
    return (
        f"{rig} still holds {above_mib:.0f} MiB more than before the last engine, after "
        f"{waited_s:.0f} s.{who} It is left out until that memory is free."
    )
