"""Real logs of public issues, where a file of them is at hand.

ORCHESTRATE_TEST_CASES=/path/to/failures.jsonl pytest tests/workers/failures
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.classifier import judge

PATH = os.environ.get("ORCHESTRATE_TEST_CASES", "")

pytestmark = pytest.mark.skipif(
    not PATH, reason="ORCHESTRATE_TEST_CASES names no file of public failure logs"
)


def test_every_case_is_given_its_class() -> None:
    wrong = [case for case in judge(Path(PATH)) if not case.right]
    assert wrong == []


def test_no_exit_code_turns_a_right_answer_into_a_wrong_one() -> None:
    changed = [
        case for case in judge(Path(PATH)) if case.right and case.with_exit_code != case.found
    ]
    assert changed == []
