"""Exports: quoted right, stamped honestly, refused where there is nothing to stand on."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.analysis.exports.base import ExportError, ExportRequest
from orchestrator.analysis.exports.registry import export, export_files, export_formats
from orchestrator.analysis.records import State
from tests.orchestrator.analysis.synthetic import BROKEN, sweep

ARGV = (
    "llama-server",
    *("-m", "/models/it's here/a.gguf"),
    *("-c", "2048", "-ctk", "q8_0", "--cache-type-v", "q5_1", "-ngl", "-1"),
    *("--spec-type", "draft-dflash", "--spec-draft-n-max", "3", "--metrics", "--port", "8080"),
)
RECORD = sweep()[0]
REQUEST = ExportRequest(
    RECORD,
    ARGV,
    "Q4_1 · K/V f16/f16",
    "Q4_1-f16",
    files=(ARGV[2],),
    fingerprint="engine 5e5e",
)
FORMATS = (
    *("command", "compose", "config", "env", "ini", "json", "llama-swap", "ollama"),
    *("powershell", "systemd"),
)
COMMENTED = tuple(name for name in FORMATS if name != "json")

tokens = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20), max_size=5)


def run_by_a_shell(argv: tuple[str, ...]) -> tuple[str, ...]:
    """What a real sh passes on: the binary is printf, which prints each argument it gets."""
    text = export("command", [replace(REQUEST, argv=("printf", "%s\\0", *argv))])
    done = subprocess.run(["sh", "-c", text], capture_output=True, check=True)
    return tuple(done.stdout.decode().split("\0")[:-1])


def test_every_format_is_found() -> None:
    assert tuple(export_formats()) == FORMATS


def test_a_shell_reads_a_command_as_the_same_arguments() -> None:
    assert run_by_a_shell(ARGV) == ARGV


@settings(max_examples=40, deadline=None)
@given(tokens)
def test_any_argument_survives_a_shell(values: list[str]) -> None:
    assert run_by_a_shell(("-m", *values)) == ("-m", *values)


def test_powershell_doubles_quotes_and_calls_the_binary() -> None:
    text = export("powershell", [REQUEST])
    assert "\n& llama-server `\n" in text
    assert "-m '/models/it''s here/a.gguf'" in text


def test_a_preset_has_long_names_and_leaves_the_process_out() -> None:
    lines = export("ini", [REQUEST]).splitlines()
    assert "[Q4_1-f16]" in lines
    assert "cache-type-k = q8_0" in lines
    assert "gpu-layers = -1" in lines
    assert "metrics = true" in lines
    assert not any(line.startswith("port") for line in lines)


def test_variables_are_the_builds_own() -> None:
    lines = export("env", [REQUEST]).splitlines()
    assert "LLAMA_ARG_SPEC_DRAFT_N_MAX=3" in lines
    assert "LLAMA_ARG_CACHE_TYPE_V=q5_1" in lines


def test_json_holds_settings_command_line_and_numbers() -> None:
    (entry,) = json.loads(export("json", [REQUEST]))
    assert entry["argv"] == list(ARGV)
    assert entry["candidate"]["ctx"] == 2048
    assert entry["measured"]["tok_s"]["value"] == RECORD.value("tok_s")
    assert entry["verified"] is False


@pytest.mark.parametrize("name", COMMENTED)
def test_comments_tell_numbers_engine_and_that_nothing_was_verified(name: str) -> None:
    text = export(name, [REQUEST])
    assert "generation: " in text and "tok/s (" in text
    assert "measured on cpu with llama.cpp b11434" in text
    assert "fingerprint: engine 5e5e" in text
    assert "not verified" in text


@pytest.mark.parametrize("name", COMMENTED)
def test_a_verified_record_says_so(name: str) -> None:
    request = replace(REQUEST, record=replace(RECORD, verified=True))
    assert "not verified" not in export(name, [request])


@pytest.mark.parametrize("name", COMMENTED)
def test_a_name_cannot_break_out_of_a_comment(name: str) -> None:
    text = export(name, [replace(REQUEST, title="x\nrm -rf / \u2028")])
    assert "\nrm" not in text


@pytest.mark.parametrize("name", FORMATS)
def test_simulated_numbers_are_never_exported(name: str) -> None:
    with pytest.raises(ExportError, match="simulated"):
        export(name, [replace(REQUEST, record=replace(RECORD, simulated=True))])


@pytest.mark.parametrize("name", FORMATS)
def test_failed_candidates_are_never_exported(name: str) -> None:
    failed = replace(RECORD, state=State.FAILED, failure=BROKEN)
    with pytest.raises(ExportError, match="failed"):
        export(name, [replace(REQUEST, record=failed)])


def test_an_unknown_format_suggests_the_nearest() -> None:
    with pytest.raises(ExportError, match="Did you mean 'json'"):
        export("jsn", [REQUEST])


def test_nothing_to_export_is_an_error() -> None:
    with pytest.raises(ExportError, match="nothing to export"):
        export("json", [])


@pytest.mark.parametrize("name", ["ini", "env"])
def test_a_forks_own_flag_is_refused_by_name(name: str) -> None:
    with pytest.raises(ExportError, match="--tree-budget"):
        export(name, [replace(REQUEST, argv=(*ARGV, "--tree-budget", "4"))])


def test_a_flag_without_a_variable_is_refused() -> None:
    with pytest.raises(ExportError, match="no environment variable"):
        export("env", [replace(REQUEST, argv=(*ARGV, "--spec-draft-device", "CUDA0"))])


@pytest.mark.parametrize(
    "name", ["compose", "config", "env", "ini", "llama-swap", "ollama", "systemd"]
)
def test_a_value_with_a_line_break_is_refused(name: str) -> None:
    argv = ("llama-server", "-m", "a\nport = 1")
    with pytest.raises(ExportError, match="does not fit on one line"):
        export(name, [replace(REQUEST, argv=argv, files=argv[2:])])


@pytest.mark.parametrize("name", ["env", "ollama", "systemd"])
def test_what_holds_one_candidate_refuses_two_and_offers_a_file_for_each(name: str) -> None:
    other = replace(REQUEST, name="other")
    with pytest.raises(ExportError, match="one candidate in a file"):
        export(name, [REQUEST, other])
    files = export_files(name, [REQUEST, other])
    assert [file.partition(".")[0] for file in files] == ["Q4_1-f16", "other"]


def test_several_candidates_are_several_sections() -> None:
    text = export("ini", [REQUEST, replace(REQUEST, name="other")])
    assert text.count("version = 1") == 1
    assert "[other]" in text


def test_numbers_that_json_cannot_hold_become_null() -> None:
    odd = replace(RECORD.estimates["tok_s"], low=float("-inf"), high=float("nan"))
    record = RECORD.with_estimates(odd)
    (entry,) = json.loads(export("json", [replace(REQUEST, record=record)]))
    assert entry["measured"]["tok_s"]["low"] is None
