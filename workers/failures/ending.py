"""What the end of a process says: its exit code, its signal, its deadline, its missing result.

It only matters where no line of the log is more specific. Windows' codes are NTSTATUS values.
"""

from __future__ import annotations

import signal as signals
from dataclasses import dataclass

from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.failures.log import Log
from workers.failures.pattern import rx

_KILLED = (
    "The system killed the process, most likely for want of host memory: use mmap, fewer CPU "
    "layers or a smaller quant, and look in the kernel log."
)
_DIED = "The engine died without saying why: try another build, and run it once with -lv 4."
_STOPPED = "The run was stopped from outside: run the same command to go on from there."
_ILLEGAL = "The binary uses instructions this CPU lacks: use a build without them."
_LIBRARY = "Windows found no library the binary needs: keep the DLLs beside it."
_LATE = "It did not finish by its deadline: try once more, then set the card aside."
_CODE = "The engine gave up without a reason in the log: run it once with -lv 4."
_EMPTY = (
    "The tool ended without a final estimate, whatever its exit code says: do not count this "
    "value, and look for NaN or a short corpus."
)

_CRASH, _OOM = FailureKind.ENGINE_CRASH, FailureKind.OUT_OF_MEMORY
_INSTALL, _STOP = FailureKind.DRIVER_OR_INSTALL, FailureKind.INTERRUPTED

# signal: kind, detail, advice, deterministic
_SIGNALS: dict[int, tuple[FailureKind, str, str, bool]] = {
    1: (_STOP, "stopped", _STOPPED, False),
    2: (_STOP, "stopped", _STOPPED, False),
    4: (_INSTALL, "cpu_instructions", _ILLEGAL, True),
    6: (_CRASH, "abort", _DIED, True),
    7: (_CRASH, "bus_error", _DIED, True),
    8: (_CRASH, "arithmetic", _DIED, True),
    9: (_OOM, "host", _KILLED, False),  # the system, for want of memory; or somebody: try again
    11: (_CRASH, "segfault", _DIED, True),
    15: (_STOP, "stopped", _STOPPED, False),
}
_WINDOWS: dict[int, int] = {  # NTSTATUS to the signal that means the same
    0xC0000005: 11,
    0xC0000409: 6,
    0xC00000FD: 11,
    0xC0000374: 6,
    0xC000001D: 4,
    0xC0000017: 9,
    0xC000013A: 2,
}
_DLL_CODES = frozenset({0xC0000135, 0xC000007B, 0xC0000139})

_MEASURING = rx(r"calculating perplexity over \d+ chunks")
_RESULT = rx(r"Final estimate|Mean PPL\(|Mean +KLD")


@dataclass(frozen=True, slots=True)
class Ending:
    """The facts about the process that its log does not hold; None where unknown."""

    rc: int | None = None
    signal: int | None = None
    phase: Phase | None = None
    timed_out: bool = False


def signal_of(ending: Ending) -> int | None:
    """The signal a process ended by: given, negative (subprocess), or 128 + n (a shell)."""
    if ending.signal:
        return ending.signal
    if ending.rc is None:
        return None
    if ending.rc & 0xFFFFFFFF in _WINDOWS:
        return _WINDOWS[ending.rc & 0xFFFFFFFF]
    if -64 <= ending.rc < -1:  # -1 is how many callers say "unknown"
        return -ending.rc
    return ending.rc - 128 if ending.rc - 128 in _SIGNALS else None


def by_force(ending: Ending) -> Diagnosis | None:
    """A diagnosis where the process did not end of itself: a deadline, a signal, a loader."""
    if ending.timed_out:
        return Diagnosis(FailureKind.TIMEOUT_HANG, "deadline passed", _LATE, False, "deadline")
    if ending.rc is not None and ending.rc & 0xFFFFFFFF in _DLL_CODES:
        evidence = f"exit code {ending.rc & 0xFFFFFFFF:#x}"
        return Diagnosis(_INSTALL, evidence, _LIBRARY, True, "missing_lib")
    number = signal_of(ending)
    if number is None:
        return None
    kind, detail, advice, deterministic = _SIGNALS.get(number, (_CRASH, "signal", _DIED, True))
    evidence = f"ended by signal {number} ({_name(number)})"
    return Diagnosis(kind, evidence, advice, deterministic, detail)


def by_itself(ending: Ending, log: Log) -> Diagnosis | None:
    """A diagnosis where the process ended of itself, with a bad code or without a result."""
    if ending.rc:
        last = log.last_line()
        evidence = f"exit code {ending.rc}" + (f" after: {last}" if last else "")
        return Diagnosis(_CRASH, evidence, _CODE, False, "exit_code")
    finished = ending.rc == 0 or ending.phase is Phase.PERPLEXITY
    started = _MEASURING.search(log.folded)
    if finished and started and not _RESULT.search(log.folded):
        evidence = log.line_at(started.start())
        return Diagnosis(FailureKind.QUALITY_BROKEN, evidence, _EMPTY, True, "no_result")
    return None


def _name(number: int) -> str:
    """SIGKILL for 9; the number itself where this platform does not know it."""
    try:
        return signals.Signals(number).name
    except ValueError:
        return str(number)
