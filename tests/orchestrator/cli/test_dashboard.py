"""`orchestrate dashboard`: what it refuses, in one sentence."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from db.schema import HEAD
from orchestrator.cli.dashboard import address
from tests.orchestrator.cli.calling import Caller
from tests.orchestrator.cli.scenes import Scene


def test_a_port_in_use_is_told(orchestrate: Caller, swept: Scene) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = orchestrate("dashboard", "--storage", swept.storage, "--port", port)
    assert (said.code, said.out) == (2, "")
    assert said.sentence.startswith(f"Port {port} on 127.0.0.1 cannot be listened on")
    assert "--port" in said.sentence


def test_an_address_of_another_machine_is_told(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("dashboard", "--storage", swept.storage, "--host", "192.0.2.1")
    assert (said.code, said.out) == (2, "")
    assert "192.0.2.1" in said.sentence


def versioned(storage: Path, tmp_path: Path, version: str) -> Path:
    """A copy that says it is of another schema."""
    import shutil
    import sqlite3

    path = tmp_path / "other.db"
    shutil.copy(storage, path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE orchestrate_version SET version_num = ?", (version,))
    connection.close()
    return path


def test_an_older_schema_names_the_command_that_migrates(
    orchestrate: Caller, swept: Scene, tmp_path: Path
) -> None:
    path = versioned(swept.storage, tmp_path, "0001")
    before = path.read_bytes()
    said = orchestrate("dashboard", "--storage", path)
    assert said.code == 2
    assert f"orchestrate db upgrade {path}" in said.sentence
    assert path.read_bytes() == before


def test_a_newer_schema_is_refused(orchestrate: Caller, swept: Scene, tmp_path: Path) -> None:
    said = orchestrate("dashboard", "--storage", versioned(swept.storage, tmp_path, "9999"))
    assert said.code == 2
    assert f"newer orchestrate (schema 9999, this one knows {HEAD})" in said.sentence


@pytest.mark.parametrize(
    ("host", "token", "url"),
    [
        ("127.0.0.1", None, "http://127.0.0.1:8060/"),
        ("::1", None, "http://[::1]:8060/"),
        ("0.0.0.0", "secret", "http://0.0.0.0:8060/?token=secret"),
    ],
)
def test_the_address_can_be_opened(host: str, token: str | None, url: str) -> None:
    assert address(host, 8060, token) == url
