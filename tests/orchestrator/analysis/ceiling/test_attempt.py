"""What a failed launch says about the limit of the context."""

from __future__ import annotations

import pytest

from orchestrator.analysis.ceiling.attempt import Cause, attempt_of
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import Completed, Failed

RANGE = "E llama_model_load: error loading model: invalid vector subscript"


def cause(
    kind: FailureKind, evidence: str = "said", spare_mib: float | None = None
) -> Cause | None:
    """The cause of a failure while loading."""
    outcome = Failed("j", Diagnosis(kind, evidence, "Do this.", True), Phase.LOAD)
    attempt = attempt_of(outcome, 4096, spare_mib)
    return attempt.cause if attempt else None


def test_what_completed_has_passed() -> None:
    attempt = attempt_of(Completed("j", ()), 4096, None)
    assert attempt is not None and attempt.passed


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (FailureKind.OUT_OF_MEMORY, Cause.MEMORY),
        (FailureKind.MEMORY_SPILL, Cause.MEMORY),
        (FailureKind.ENGINE_CRASH, Cause.ENGINE),
        (FailureKind.CONTEXT_OVERFLOW, Cause.ENGINE),
        (FailureKind.SPEC_NOT_ENGAGED, Cause.ENGINE),
        (FailureKind.TIMEOUT_HANG, Cause.HANG),
        (FailureKind.MODEL_INCOMPATIBLE, Cause.UNRELATED),
    ],
)
def test_each_kind_has_its_cause(kind: FailureKind, expected: Cause) -> None:
    assert cause(kind, spare_mib=5000.0) is expected


@pytest.mark.parametrize(
    ("spare_mib", "expected"),
    [(2000.0, Cause.ENGINE), (-10.0, Cause.MEMORY), (None, Cause.MEMORY)],
)
def test_an_index_out_of_range_is_a_bug_where_memory_should_do(
    spare_mib: float | None, expected: Cause
) -> None:
    assert cause(FailureKind.OUT_OF_MEMORY, RANGE, spare_mib) is expected


def test_the_advice_then_speaks_of_the_bug() -> None:
    why = Diagnosis(FailureKind.OUT_OF_MEMORY, RANGE, "Shorten the context.", True)
    attempt = attempt_of(Failed("j", why, Phase.LOAD), 131_072, 2000.0)
    assert attempt is not None
    assert "2,000 MiB to be left" in attempt.advice and "bug" in attempt.advice


def test_a_lost_worker_says_nothing() -> None:
    assert cause(FailureKind.WORKER_LOST) is None
