"""Failures that people posted lead to the right finding, and to advice that helps.

The lines are written for these tests, in the shape of those in the posts.
"""

from __future__ import annotations

import pytest

from workers.contract.failure import FailureKind
from workers.failures.classify import classify

OLD_ENGINE = """\
I common_speculative_init_result: loading draft model 'Orca-31B-DFlash2-Q2_K_S.gguf'
E llama_model_load: error loading model: done_getting_tensors: wrong number of tensors; \
expected 81, got 58
E common_speculative_init_result: failed to load draft model, 'Orca-31B-DFlash2-Q2_K_S.gguf'
E srv  llama_server: exiting due to model loading error
"""
TOO_LONG = """\
I llama_context: n_ctx                 = 131072
I common_speculative_init_result: loading draft model 'Orca-31B-DFlash2-Q2_K_S.gguf'
E llama_model_load: error loading model: invalid vector subscript
E srv  llama_server: exiting due to model loading error
"""
NOT_ENGAGED = """\
I common_speculative_init_result: loading draft model 'Orca-31B-DFlash2-Q2_K_S.gguf'
I spec common_specu: no implementations specified for speculative decoding
"""


@pytest.mark.parametrize(
    ("log", "rc", "kind", "advice"),
    [
        (OLD_ENGINE, 1, FailureKind.MODEL_INCOMPATIBLE, "use a build that supports this drafter"),
        (TOO_LONG, 1, FailureKind.OUT_OF_MEMORY, "shorten the context"),
        (NOT_ENGAGED, None, FailureKind.SPEC_NOT_ENGAGED, "pass --spec-type explicitly"),
    ],
    ids=["an engine without DFlash2", "a ceiling with the drafter", "a drafter that is not used"],
)
def test_a_posted_failure_is_understood(
    log: str, rc: int | None, kind: FailureKind, advice: str
) -> None:
    found = classify(log, rc=rc)
    assert found is not None
    assert found.kind is kind
    assert advice in found.advice
    assert found.evidence.strip() in log
