"""`orchestrate plan --rig-profile`: plans for rigs, engines and models that are not here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.orchestrator.cli.calling import Caller

SPACES = {  # builtin space: its rig's profile, candidates
    "rtx5090_qwen36_27b": ("rtx5090", 108),
    "rtx5090_qwen36_27b_kvarn": ("rtx5090", 468),
    "rtx4080_qwen38_27b_dflash2": ("rtx4080", 56),
    "rtx4090_3090_qwen36_27b_q8": ("rtx4090_3090", 216),
    "laptop8gb_qwen36_35b_a3b": ("laptop8gb", 1296),
    "mainline_dflash_36k": ("rtx5090", 58),
    "build_to_build": ("rtx5090", 15),
}
TEXT = """
name: mine
engines: {server: {path: no-such-server, like: mainline}}
fixed: {engine: server, model: ~/models/Qwen3.6-27B-Q4_K_M.gguf}
parameters: {kv: [f16/f16, q8_0/q8_0], ctx: [4096, 262144]}
objectives: {tok_s: maximize}
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A space of a person's own in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(TEXT)
    return tmp_path


@pytest.mark.parametrize("space", SPACES)
def test_every_builtin_space_plans_on_its_rig(orchestrate: Caller, space: str) -> None:
    profile, candidates = SPACES[space]
    said = orchestrate("plan", "--space", space, "--rig-profile", profile, "--json")
    assert (said.code, said.err) == (0, "")
    (rig,) = json.loads(said.out)["rigs"]
    assert (rig["candidates"], rig["simulated"]) == (candidates, True)
    assert rig["feasible"] > 0
    out = {entry["rule"] for entry in rig["out"]}
    assert out <= {"forbid", "fits_memory"}  # nothing is missing, nothing is unknown


def test_it_says_that_the_rig_is_none(orchestrate: Caller, own: Path) -> None:
    out = orchestrate("plan", "--space", "mine.yaml", "--rig-profile", "rtx4080").out
    assert "rtx4080 is a profile: nothing of it was looked at, engines are assumed." in out
    assert "Headers stand in for model files" in out
    assert "Rig rtx4080 (NVIDIA GeForce RTX 4080; simulated): 2 of 4 candidates can run" in out


def test_the_memory_of_the_profile_is_what_decides(orchestrate: Caller, own: Path) -> None:
    small = "name: small\nmemory_mib: 16384\ncards: [{name: RTX 3060, memory_mib: 12288}]\n"
    Path("small.yaml").write_text(small)
    said = orchestrate("plan", "--space", "mine.yaml", "--rig-profile", "small.yaml")
    assert said.code == 3
    assert "more than the 12288 MiB of device 0" in said.err


def test_a_model_that_no_header_is_known_of(orchestrate: Caller, own: Path) -> None:
    Path("mine.yaml").write_text(TEXT.replace("Q4_K_M", "Q4_K_N"))
    said = orchestrate("plan", "--space", "mine.yaml", "--rig-profile", "rtx5090")
    assert said.code == 3
    assert "Qwen3.6-27B-Q4_K_N.gguf is not here, and no header of it is known." in said.err
    assert "Did you mean 'Qwen3.6-27B-Q4_K_M.gguf'?" in said.err


def test_a_folder_of_headers_that_is_not_there(orchestrate: Caller, own: Path) -> None:
    words = ("--rig-profile", "rtx5090", "--model-headers", "none")
    said = orchestrate("plan", "--space", "mine.yaml", *words)
    assert (said.code, said.sentence) == (
        2,
        "There is no folder none. Name one that holds header files (YAML).",
    )


def test_a_profile_cannot_be_swept(orchestrate: Caller, own: Path) -> None:
    said = orchestrate("sweep", "--space", "mine.yaml", "--rig-profile", "rtx5090")
    assert said.code == 2
    assert said.sentence.startswith("Nothing can be measured on the profile 'rtx5090'")
    assert not Path("orchestrate.db").exists()


def test_without_a_profile_a_missing_engine_is_said_with_where_to_get_it(
    orchestrate: Caller, own: Path
) -> None:
    text = TEXT.replace("~/models/Qwen3.6-27B-Q4_K_M.gguf", "builtin:smollm2-135m-Q4_1")
    Path("mine.yaml").write_text(text)
    said = orchestrate("plan", "--space", "mine.yaml")
    assert said.code == 3
    assert "engine 'server' cannot be used: there is no file, directory or command" in said.err
    assert "It is llama.cpp (ggml-org): take a release for CUDA" in said.err
    assert "name it under engines.server.path." in said.err


def test_help_lists_what_comes_with_the_package(orchestrate: Caller) -> None:
    out = " ".join(orchestrate("plan", "--help").out.split())
    assert all(name in out for name in (*SPACES, "kv_dflash", "laptop8gb", "rtx4090_3090"))
