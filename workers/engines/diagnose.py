"""From a log to an error that says what went wrong and what to do."""

from __future__ import annotations

import errno
import re
import signal

from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.engines.base import EngineError
from workers.engines.log import last_line, tail
from workers.failures.classify import classify

_ANNOUNCED = re.compile(r"^orchestrate: ([a-z_]+): (.+)$", re.MULTILINE)


def exited(log: str, rc: int, phase: Phase, *, gpu: bool = True) -> EngineError:
    """The engine ended by itself, with this exit status (negative: a signal).

    `gpu`: whether it had one to use; without, its staying on the CPU is no failure.
    """
    found = _announced(log) or classify(log, rc=rc, phase=phase, gpu_expected=gpu)
    diagnosis = found or Diagnosis(
        kind=FailureKind.ENGINE_CRASH,
        evidence=f"{last_line(log) or 'nothing was logged'} ({_status(rc)})",
        advice="Read the end of its log; run the recorded command by hand to see it again.",
        deterministic=False,  # nothing is known about why, so it may have been chance
    )
    return EngineError(diagnosis, phase, tail(log))


def hung(log: str, waited_s: float, phase: Phase, *, gpu: bool = True) -> EngineError:
    """The engine ran on without getting anywhere until its time was over.

    A cause that the log names (say, a driver error it keeps retrying) wins over "it hung".
    """
    diagnosis = classify(log, phase=phase, gpu_expected=gpu) or Diagnosis(
        kind=FailureKind.TIMEOUT_HANG,
        evidence=f"no answer after {waited_s:.0f} s; last: {last_line(log) or 'nothing logged'}",
        advice="Try the recorded command by hand; raise the limit if the disk is slow.",
        deterministic=False,
    )
    return EngineError(diagnosis, phase, tail(log))


def not_started(command: str, error: OSError, phase: Phase) -> EngineError:
    """The operating system refused to start it, or to open its log."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    diagnosis = Diagnosis(
        kind=FailureKind.DISK_FULL if full else FailureKind.DRIVER_OR_INSTALL,
        evidence=f"cannot start {command}: {error}",
        advice="Free some disk space." if full else "Check the path of the engine in the space.",
        deterministic=not full,
    )
    return EngineError(diagnosis, phase)


def missing(what: str, engine: str, advice: str, phase: Phase = Phase.RESOLVE) -> EngineError:
    """The build lacks something that the candidate asks for."""
    diagnosis = Diagnosis(
        kind=FailureKind.CAPABILITY_MISSING,
        evidence=f"{engine} has no {what}",
        advice=advice,
        deterministic=True,
    )
    return EngineError(diagnosis, phase)


def no_drafter(spec: str) -> EngineError:
    """A kind of speculation without the model it drafts with."""
    diagnosis = Diagnosis(
        kind=FailureKind.INVALID_CONFIG,
        evidence=f"spec type {spec!r} needs a draft model and none is given",
        advice="Add drafter: to the space.",
        deterministic=True,
    )
    return EngineError(diagnosis, Phase.LOAD)


def _announced(log: str) -> Diagnosis | None:
    """What a child process of ours said in so many words: `orchestrate: KIND: TEXT`."""
    said = _ANNOUNCED.search(log)
    if said is None or said[1] not in set(FailureKind):
        return None
    return Diagnosis(
        kind=FailureKind(said[1]),
        evidence=said[2].strip(),
        advice="Remove this value from the space, or use an engine that has it.",
        deterministic=True,
    )


def _status(rc: int) -> str:
    if rc >= 0:
        return f"exit status {rc}"
    try:
        return f"killed by {signal.Signals(-rc).name}"
    except ValueError:
        return f"killed by signal {-rc}"
