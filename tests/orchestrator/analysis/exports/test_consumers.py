"""Exports read by the programs they are for, where this machine has them."""

from __future__ import annotations

import configparser
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from orchestrator.analysis.exports.registry import export
from tests.orchestrator.analysis.exports.requests import request

HOSTILE = '/models/it\'s 100% "$HOME" ${x}/m.gguf'


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: no systemd to ask")
    here = request(HOSTILE)
    runnable = replace(here, argv=(sys.executable, *here.argv[1:]), cards=(0, 1))
    unit = tmp_path / "best.service"
    unit.write_text(export("systemd", [runnable]), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def compose_command() -> list[str]:
    """Docker Compose as a plugin, or as the program of its first generation."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) is not None:
            done = subprocess.run([*command, "version"], capture_output=True, check=False)
            if done.returncode == 0:
                return command
    pytest.skip("neither docker compose nor docker-compose is installed")


def test_compose_accepts_the_services_and_reads_the_same_words(tmp_path: Path) -> None:
    command = compose_command()
    requests = [replace(request(HOSTILE), cards=(0,)), replace(request(), name="other")]
    file = tmp_path / "compose.yaml"
    file.write_text(export("compose", requests), encoding="utf-8")
    done = subprocess.run(
        [*command, "-f", file, "--profile", "best-4k", "config", "--format", "json"]
        if command == ["docker", "compose"]
        else [*command, "-f", file, "--profile", "best-4k", "config"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LLAMA_SERVER_IMAGE": "example/llama-server:b11434"},
    )
    assert done.returncode == 0, done.stderr
    assert "example/llama-server:b11434" in done.stdout
    assert "nvidia" in done.stdout
    # What config prints is a compose file again, its dollar signs doubled.
    assert "it's 100% " in done.stdout.replace("''", "'")
    assert "$$HOME" in done.stdout


def test_a_preset_is_an_ini_file() -> None:
    parser = configparser.ConfigParser(interpolation=None, comment_prefixes=(";", "#"))
    text = export("ini", [request("/models/100% mine.gguf")])
    parser.read_string(text.replace("version = 1", "[DEFAULT]\nversion = 1"))
    assert parser["best-4k"]["model"] == "/models/100% mine.gguf"


def test_json_is_json() -> None:
    assert json.loads(export("json", [request(HOSTILE)]))[0]["argv"] == list(request(HOSTILE).argv)
