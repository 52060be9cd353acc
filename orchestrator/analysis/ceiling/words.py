"""A ceiling in words: the same ones on the terminal and in JSON."""

from __future__ import annotations

from orchestrator.analysis.ceiling.attempt import Attempt
from orchestrator.analysis.ceiling.verdict import Limit, Verdict

_MEANS = {
    Limit.MEMORY: "memory ends there",
    Limit.ENGINE: "the engine fails there although memory should do",
    Limit.FLAKY: "above it works only at times",
    Limit.MODEL: "that is the context the model was trained for",
    Limit.ASKED: "that is the longest that was asked for",
}


def sentence(verdict: Verdict) -> str:
    """What was found, what sets it, and the line of the log that says so."""
    if verdict.limit is Limit.UNRELATED:
        return f"No ceiling: it fails at any context. {_said(verdict.failure)}"
    works = f"{verdict.ctx_max:,} tokens work" if verdict.ctx_max else "No context works"
    if not verdict.finished:
        above = f", {verdict.above:,} failed" if verdict.above else ""
        return f"{works}{above}; the search did not end, so the ceiling is not known yet."
    told = f"{works}; {_MEANS[verdict.limit]}."
    if verdict.above is None:
        return told
    tries = f"At {verdict.above:,} {verdict.passed} of {verdict.tries} attempts passed"
    if verdict.limit is Limit.FLAKY:
        tries = f"From {verdict.above:,} on {verdict.passed} of {verdict.tries} attempts passed"
    return f"{told} {tries}. {_said(verdict.failure)}"


def ended(attempt: Attempt) -> str:
    """How one attempt ended."""
    if attempt.passed:
        return "passed"
    return f"failed ({attempt.cause}, {attempt.phase}): {attempt.evidence}"


def _said(failure: Attempt | None) -> str:
    """The decisive line of the log with the phase it was in, and what to do."""
    if failure is None:
        return ""
    phase = f"In {failure.phase}: " if failure.phase else ""
    return f"{phase}{failure.evidence.rstrip('.')}. {failure.advice}".rstrip()
