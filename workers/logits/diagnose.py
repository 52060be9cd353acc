"""Why the child gave no result: its own words, else what its log and its end tell."""

from __future__ import annotations

from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.engines.base import EngineError
from workers.models.child import ChildEnd, Message


def engine_error(end: ChildEnd, phase: Phase, fault: Message | None = None) -> EngineError:
    """The error to raise; `fault` is what the child found itself and said."""
    diagnosis = _said(fault) if fault is not None else _read(end, phase)
    return EngineError(diagnosis, phase, end.log_tail)


def _said(fault: Message) -> Diagnosis:
    return Diagnosis(
        kind=FailureKind(fault["kind"]),
        evidence=str(fault["evidence"]),
        advice=str(fault["advice"]),
        deterministic=True,
    )


def _read(end: ChildEnd, phase: Phase) -> Diagnosis:
    from workers.failures.classify import classify

    # A hang is ended by our own SIGKILL, which must not be read as the kernel's.
    code = None if end.hung else end.returncode
    found = classify(end.log_tail, rc=code, phase=phase, timed_out=end.hung, gpu_expected=False)
    if found is not None:
        return found
    lines = [line.strip() for line in end.log_tail.splitlines() if line.strip()]
    last = lines[-1] if lines else "nothing was logged"
    return Diagnosis(
        kind=FailureKind.ENGINE_CRASH,
        evidence=f"{last[:400]} ({end.words})",
        advice="Read the end of its log; try the model with llama-perplexity to see it again.",
        deterministic=False,
    )
