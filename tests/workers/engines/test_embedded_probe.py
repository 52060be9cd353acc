"""The embedded engine's report where its packages are missing or broken."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import pytest

from tests.workers.engines import fakes
from workers.contract.reports import EngineReport
from workers.engines import embedded_probe

FOUND = (
    '{"kv_types": ["f16"], "spec_types": ["none"], "devices": ["CPU"], '
    '"system": "AVX2 = 1", "build": {}}'
)


def report(command: list[str]) -> EngineReport:
    return embedded_probe.probe("embedded", command, {})


def without(*packages: str) -> Callable[[str], object]:
    real = importlib.util.find_spec
    return lambda name: None if name in packages else real(name)


def test_the_last_line_counts() -> None:
    said = report(fakes.program(f"print('a greeting')\nprint({FOUND!r})"))
    assert said.problem is None
    assert said.capabilities is not None
    assert said.capabilities.kv_types == ("f16",)
    assert said.capabilities.fa_pairs == ("all",)


def test_a_child_that_crashes_is_a_problem_not_a_crash() -> None:
    said = report(fakes.fail("Illegal instruction", rc=132))
    assert said.problem is not None
    assert "Illegal instruction" in said.problem
    assert said.capabilities is None


def test_a_missing_server_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", without("xllamacpp"))
    said = report(fakes.program("print('unused')"))
    assert said.problem is not None
    assert "xllamacpp is not installed" in said.problem


def test_a_missing_logits_package_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", without("llama_cpp"))
    said = report(fakes.program(f"print({FOUND!r})  # without logits"))
    assert said.problem is None
    assert [build.role for build in said.builds] == ["server"]
    assert "no perplexity" in " ".join(said.warnings)
