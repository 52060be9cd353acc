"""`orchestrate engines` and `orchestrate rigs`: what this machine has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.orchestrator.cli.calling import Caller
from tests.support.hosts import make_rig
from tests.support.script import Script
from tests.support.scripted_server import write_scripted_server
from workers.contract.reports import RigKind


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What probing remembers stays in the test."""
    monkeypatch.setenv("ORCHESTRATE_CACHE", str(tmp_path / "cache"))


def test_a_build_is_described(orchestrate: Caller, tmp_path: Path) -> None:
    write_scripted_server(tmp_path / "llama-server", Script(kv_types=("f16", "turbo3")))
    said = orchestrate("engines", tmp_path)
    rows = dict(line.split("   ", 1) for line in said.out.splitlines()[1:])
    facts = {name.strip(): value.strip() for name, value in rows.items()}
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Engine {tmp_path.name}\n")
    assert (facts["dialect"], facts["KV types"]) == ("mainline", "f16, turbo3")
    assert "n_max --spec-draft-n-max" in facts["flags"]


def test_json_is_a_list_of_reports(orchestrate: Caller, tmp_path: Path) -> None:
    binary = write_scripted_server(tmp_path / "llama-server", Script())
    (report,) = json.loads(orchestrate("engines", binary, "--json").out)
    assert report["builds"][0]["path"] == str(binary)
    assert report["capabilities"]["dialect"] == "mainline"


def test_builds_of_one_name_are_two_engines(orchestrate: Caller, tmp_path: Path) -> None:
    paths = [
        write_scripted_server(tmp_path / fork / "llama-server", Script(version=f"version: {fork}"))
        for fork in ("one", "other")
    ]
    said = orchestrate("engines", *paths)
    assert said.out.count("Engine llama-server\n") == 2


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_no_usable_engine_is_exit_code_2(
    orchestrate: Caller, tmp_path: Path, more: list[str]
) -> None:
    said = orchestrate("engines", tmp_path / "nowhere", *more)
    assert said.code == 2
    assert said.sentence == f"there is no file, directory or command {tmp_path / 'nowhere'}."


def test_one_usable_engine_is_enough(orchestrate: Caller, tmp_path: Path) -> None:
    binary = write_scripted_server(tmp_path / "llama-server", Script())
    said = orchestrate("engines", binary, tmp_path / "nowhere")
    assert (said.code, said.err) == (0, "")
    assert "\nEngine nowhere\nproblem   there is no file, directory or command " in said.out


@pytest.mark.engine
def test_the_embedded_engine_is_there_without_a_path(orchestrate: Caller) -> None:
    said = orchestrate("engines")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Engine embedded\nserver build")


def test_rigs_are_listed(orchestrate: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    found = (make_rig("rtx4090"), make_rig("cpu", RigKind.CPU))
    monkeypatch.setattr("orchestrator.cli.rigs.discover_rigs", lambda: found)
    said = orchestrate("rigs")
    card, cpu = said.out.splitlines()[2:]
    assert (said.code, said.err) == (0, "")
    assert card.split() == [
        "rtx4090",
        "cuda",
        "NVIDIA",
        "GeForce",
        "RTX",
        "4090",
        "24,576",
        "16",
        "580.1",
    ]
    assert cpu.split() == ["cpu", "cpu", "Ryzen", "9", "65,536", "16", "–"]


def test_rigs_as_json(orchestrate: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orchestrator.cli.rigs.discover_rigs", lambda: (make_rig(),))
    (rig,) = json.loads(orchestrate("rigs", "--json").out)
    assert (rig["name"], rig["cards"][0]["memory_mib"]) == ("rtx", 24_576)
