"""The export tables against a real llama-server."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.exports.registry import export
from orchestrator.analysis.exports.settings import known_names
from tests.orchestrator.analysis.synthetic import sweep

pytestmark = pytest.mark.engine

ARGV = (
    *("llama-server", "-m", "/no/such/model.gguf", "-c", "1024", "-ctk", "q8_0", "-ctv", "q5_1"),
    *("-fa", "on", "-fit", "off", "-ngl", "all", "-np", "1", "--cache-ram", "0", "-b", "512"),
    *("--spec-type", "draft-dflash", "--spec-draft-model", "/no/such/draft.gguf"),
    *("--spec-draft-n-max", "3", "--spec-draft-p-min", "0.5"),
)


@pytest.fixture
def server() -> Path:
    folder = os.environ.get("ORCHESTRATE_TEST_ENGINES")
    if not folder:
        pytest.skip("ORCHESTRATE_TEST_ENGINES is not set: no llama-server to ask")
    return Path(folder) / "llama-server"


def environment(server: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": str(server.parent), "HOME": "/tmp"}


@contextmanager
def router(server: Path, preset: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    argv = [str(server), "--models-preset", str(preset), "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(
        argv, env=environment(server), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        for line in process.stderr:  # ends by itself when the server exits
            if "listening on" in line:
                break
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_every_name_in_the_table_is_one_of_the_build(server: Path) -> None:
    done = subprocess.run(
        [server, "--help"], env=environment(server), capture_output=True, text=True, check=True
    )
    missing = [name for name in known_names() if name not in done.stdout]
    assert missing == []


def test_a_router_starts_the_exported_preset_with_the_same_settings(
    server: Path, tmp_path: Path
) -> None:
    preset = tmp_path / "models.ini"
    preset.write_text(export("ini", [ExportRequest(sweep()[0], ARGV, "title", "mine")]))
    with (
        router(server, preset) as url,
        urllib.request.urlopen(f"{url}/models", timeout=20) as reply,
    ):
        (model,) = json.load(reply)["data"]
    assert model["id"] == "mine"
    started = model["status"]["args"]
    values = {"/no/such/draft.gguf", "draft-dflash", "q8_0", "q5_1", "1024", "3", "0.5", "off"}
    assert values <= set(started)
