"""Failures: by class, with advice, log line and candidates."""

from __future__ import annotations

from dashboards.library import Library
from tests.dashboards.showing import shown


def test_a_class_has_its_advice_its_line_and_its_candidates(failing: Library) -> None:
    page = shown(failing, "/failures")
    assert "1 of 6 candidates failed." in page.text
    assert "Out of memory: 1" in page.text
    assert "cudaMalloc failed: out of memory" in page.text
    assert any(one["href"].startswith("/candidate?") for one in page.all("Link"))


def test_a_sweep_without_failures_says_so(library: Library) -> None:
    assert "Nothing failed among 24 candidates." in shown(library, "/failures").text


def test_a_filter_counts_what_passes_it(failing: Library) -> None:
    assert "Nothing failed among 0 candidates." in shown(failing, "/failures?rig=nowhere").text
