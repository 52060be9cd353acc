"""Candidate: everything that is known of one trial."""

from __future__ import annotations

import pytest

from dashboards.library import Library
from tests.dashboards.showing import shown


def test_the_command_is_there_to_copy(library: Library) -> None:
    page = shown(library, "/candidate?trial=5")
    command = next(pre for pre in page.all("Pre") if pre.get("id") == "export")["children"]
    assert "llama-server \\\n" in command
    assert any(button.get("data-copy") == "export" for button in page.all("Button"))


def test_another_form_is_a_click_away(library: Library) -> None:
    page = shown(library, "/candidate?trial=5&form=env")
    command = next(pre for pre in page.all("Pre") if pre.get("id") == "export")["children"]
    assert "LLAMA_ARG_" in command


def test_numbers_come_with_intervals_and_their_build(library: Library) -> None:
    text = shown(library, "/candidate?trial=5").text
    assert "generated tokens / generation time" in text
    assert "xllamacpp" in text


def test_raw_samples_are_drawn_launch_by_launch(library: Library) -> None:
    figure = shown(library, "/candidate?trial=5").figure("samples-tok_s")
    assert [trace["name"] for trace in figure["data"]] == ["launch 1", "launch 2"]


def test_gates_telemetry_and_logs_are_shown(library: Library) -> None:
    text = shown(library, "/candidate?trial=5").text
    for words in ("Gates", "own server", "Telemetry of", "mem peak mib", "slot print_timing"):
        assert words in text


def test_asked_and_effective_stand_side_by_side(library: Library) -> None:
    text = shown(library, "/candidate?trial=5").text
    assert "builtin:smollm2-135m-Q2_K as asked" in text


def test_a_failed_one_says_why(failing: Library) -> None:
    failed = next(t for t in failing.database.trials.list(1) if t.failed_by)
    text = shown(failing, f"/candidate?trial={failed.id}").text
    assert "Failed: out of memory." in text
    assert "cudaMalloc failed: out of memory" in text


@pytest.mark.parametrize("trial", ["", "x", "-1", "1e9", "²"])
def test_a_trial_that_is_no_number_is_not_looked_for(library: Library, trial: str) -> None:
    assert "No candidate is named" in shown(library, f"/candidate?trial={trial}").text


def test_a_trial_that_is_not_there_is_said(library: Library) -> None:
    assert "there is no trial with id 4711." in shown(library, "/candidate?trial=4711").text
