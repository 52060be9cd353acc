"""Every figure of a public load log that can be predicted is predicted to its last digit.

The logs beside this file are a few with their sources; `ORCHESTRATE_TEST_CASES_MEMORY` names
a larger file of the same shape.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.memory_cases import Case, header_of, read_cases
from benchmarks.memory_compare import compare, slopes
from benchmarks.memory_model import report

LOGS = Path(__file__).with_name("public_logs.jsonl")
MORE_LOGS = os.environ.get("ORCHESTRATE_TEST_CASES_MEMORY")


@pytest.mark.parametrize("case", list(read_cases(LOGS)), ids=lambda case: case["id"])
def test_a_log_is_predicted(case: Case) -> None:
    comparisons = compare(case)
    assert comparisons
    assert [one for one in comparisons if not one.holds] == []


def test_a_log_that_names_no_model_is_left_out() -> None:
    assert header_of({"id": "unnamed", "kv_mib": 12.0}) is None
    assert compare({"id": "unnamed", "kv_mib": 12.0}) == []


def test_the_report_lists_every_term() -> None:
    text = report(list(read_cases(LOGS)))
    assert "| recurrent | exact | 2 | 2 |" in text
    assert "| swa | exact | 1 | 1 |" in text


@pytest.mark.skipif(
    MORE_LOGS is None, reason="ORCHESTRATE_TEST_CASES_MEMORY does not name a file of logs"
)
def test_all_logs_of_a_file_are_predicted() -> None:
    assert MORE_LOGS is not None
    cases = list(read_cases(Path(MORE_LOGS)))
    comparisons = [one for case in cases for one in compare(case)] + list(slopes(cases))
    assert comparisons
    assert [one for one in comparisons if not one.holds] == []
