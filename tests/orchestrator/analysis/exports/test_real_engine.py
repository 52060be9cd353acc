"""The export tables against a real llama-server."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from pathlib import Path

import pytest

from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.exports.registry import export
from orchestrator.analysis.exports.settings import known_names
from tests.orchestrator.analysis.exports.real_server import environment, free_port, running
from tests.orchestrator.analysis.synthetic import sweep
from tests.support.models import engine_binary

pytestmark = pytest.mark.engine

ARGV = (
    *("llama-server", "-m", "/no/such/model.gguf", "-c", "1024", "-ctk", "q8_0", "-ctv", "q5_1"),
    *("-fa", "on", "-fit", "off", "-ngl", "all", "-np", "1", "--cache-ram", "0", "-b", "512"),
    *("--spec-type", "draft-dflash", "--spec-draft-model", "/no/such/draft.gguf"),
    *("--spec-draft-n-max", "3", "--spec-draft-p-min", "0.5"),
)


def test_every_name_in_the_table_is_one_of_the_build(tmp_path: Path) -> None:
    server = engine_binary("llama-server")
    done = subprocess.run(
        [server, "--help"],
        env=environment(server, tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    missing = [name for name in known_names() if name not in done.stdout]
    assert missing == []


def test_a_router_knows_the_exported_preset_with_the_same_settings(tmp_path: Path) -> None:
    server, port = engine_binary("llama-server"), free_port()
    preset = tmp_path / "models.ini"
    preset.write_text(export("ini", [ExportRequest(sweep()[0], ARGV, "title", "mine")]))
    words = [str(server), "--models-preset", str(preset), "--host", "127.0.0.1"]
    words += ["--port", str(port)]
    with (
        running(words, environment(server, tmp_path), port, tmp_path / "log") as url,
        urllib.request.urlopen(f"{url}/models", timeout=20) as reply,
    ):
        (model,) = json.load(reply)["data"]
    assert model["id"] == "mine"
    started = model["status"]["args"]
    values = {"/no/such/draft.gguf", "draft-dflash", "q8_0", "q5_1", "1024", "3", "0.5", "off"}
    assert values <= set(started)
