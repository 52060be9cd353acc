"""Every wording in the fixture is given its kind and detail, from the text and the exit code.

The lines are written for these tests, in the shape the engines print; each names the public
source of its shape.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workers.contract.failure import FailureKind
from workers.failures.classify import classify
from workers.failures.registry import all_patterns

_MACHINERY = {
    FailureKind.GATE,
    FailureKind.WORKER_LOST,
    FailureKind.HOST_LOST,
    FailureKind.RIG_OCCUPIED,
}
# None of these is ever seen in the log of an engine.

LINES: list[dict[str, Any]] = [
    json.loads(line)
    for line in Path(__file__).with_name("lines.jsonl").read_text(encoding="utf-8").splitlines()
]
# What Python or a shell prints starts its own line; a prefix of the engine's stands before none.
ENGINE_LINES = [case for case in LINES if "Traceback" not in case["text"]]


@pytest.mark.parametrize("case", LINES, ids=lambda case: str(case["id"]))
def test_a_known_wording_has_its_kind_and_detail(case: dict[str, Any]) -> None:
    found = classify(case["text"], rc=case.get("rc"))
    assert ((found.kind.value, found.detail) if found else (None, "")) == (
        case["kind"],
        case["detail"],
    )


@pytest.mark.parametrize("case", ENGINE_LINES, ids=lambda case: str(case["id"]))
def test_a_prefix_of_time_level_and_colour_changes_nothing(case: dict[str, Any]) -> None:
    bare = classify(case["text"], rc=case.get("rc"))
    dressed = "\r\n".join(
        f"\x1b[31m[48213] 0.12.345.678 E {line}\x1b[0m" if line else ""
        for line in case["text"].split("\n")
    )
    found = classify(dressed, rc=case.get("rc"))
    assert (found.kind if found else None) == (bare.kind if bare else None)


def test_every_kind_an_engine_can_show_has_patterns_and_lines() -> None:
    expected = set(FailureKind) - _MACHINERY
    assert {known.kind for known in all_patterns()} == expected
    assert {case["kind"] for case in LINES if case["kind"]} == {kind.value for kind in expected}


def test_ids_are_unique_and_sources_public() -> None:
    assert len({case["id"] for case in LINES}) == len(LINES)
    assert all(case["source"].startswith("https://github.com/") for case in LINES)
