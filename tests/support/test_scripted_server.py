"""The scripted server as an executable: it behaves as llama-server does, also where it fails."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from tests.support.script import Fault, Script
from tests.support.scripted_server import serving, write_scripted_server
from workers.http.client import ServerClient


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "target.gguf"
    path.write_bytes(b"GGUF")
    return path


def run(tmp_path: Path, script: Script, *arguments: str) -> subprocess.CompletedProcess[str]:
    binary = write_scripted_server(tmp_path / "llama-server", script)
    # As engines are started: with next to nothing in the environment.
    environment = {"PATH": os.environ["PATH"]}
    return subprocess.run(
        [binary, *arguments], capture_output=True, text=True, env=environment, check=False
    )


@contextmanager
def launched(tmp_path: Path, script: Script, model: Path) -> Iterator[str]:
    """The URL of an executable that was started and has said where it listens."""
    binary = write_scripted_server(tmp_path / "llama-server", script)
    words = [str(binary), "-m", str(model), "--port", "0", "--metrics"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if "listening on " in line:
                    yield line.split("listening on ")[1].strip()
                    break
        finally:
            process.kill()


def test_it_tells_its_version_and_devices(tmp_path: Path) -> None:
    version, devices = (run(tmp_path, Script(), flag) for flag in ("--version", "--list-devices"))

    assert version.stderr.startswith("version: 0.6.0-dev (build 11434")
    assert devices.stdout == "Available devices:\n  (none)\n"


def test_its_help_lists_its_types_and_names(tmp_path: Path) -> None:
    found = run(tmp_path, Script(kv_types=("f16", "turbo3")), "--help")

    assert found.returncode == 0
    assert "allowed values: f16, turbo3 (default: f16)" in " ".join(found.stdout.split())
    assert "--spec-draft-n-max N " in found.stdout


def test_the_wording_of_older_builds_has_their_names(tmp_path: Path) -> None:
    script = Script(wording="legacy", spec_types=("none", "ngram-simple"))

    text = run(tmp_path, script, "--help").stdout

    assert "--draft-max, --draft, --draft-n N" in text
    assert "--spec-type [none|ngram-simple]" in text
    assert "--spec-draft-n-max" not in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--no-such-flag",), "error: invalid argument: --no-such-flag"),
        (("-c",), "error: invalid argument: -c"),
        (("-ctk", "turbo3"), "Unsupported cache type: turbo3"),
        (("--spec-type", "draft-eagle3"), "unknown speculative type: draft-eagle3"),
        (("-m", "/nowhere.gguf"), "failed to load model, '/nowhere.gguf'"),
    ],
)
def test_it_refuses_what_it_cannot_do(
    arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    found = run(tmp_path, Script(), *arguments)

    assert found.returncode == 1
    assert says in found.stderr


def test_a_full_card_ends_the_load(tmp_path: Path, model: Path) -> None:
    found = run(tmp_path, Script(faults=(Fault.OUT_OF_MEMORY,)), "-m", str(model))

    assert found.returncode == 1
    assert "cudaMalloc failed: out of memory" in found.stderr


def test_a_taken_port_ends_the_start(tmp_path: Path, model: Path) -> None:
    with serving(Script(), ["-m", str(model)]) as other:
        found = run(tmp_path, Script(), "-m", str(model), "--port", str(other.port))

    assert found.returncode == 1
    assert "couldn't bind HTTP server socket" in found.stderr


def test_it_serves_from_the_port_it_says(tmp_path: Path, model: Path) -> None:
    with launched(tmp_path, Script(), model) as url, ServerClient(url) as client:
        assert client.healthy()
        assert client.props()["model_path"] == str(model)


def test_a_crash_at_a_request_takes_the_connection_with_it(tmp_path: Path, model: Path) -> None:
    with (
        launched(tmp_path, Script(faults=(Fault.CRASHES,)), model) as url,
        ServerClient(url) as client,
        pytest.raises(httpx.TransportError),
    ):
        client.completion("a b c", 8)


def test_another_script_is_another_binary(tmp_path: Path) -> None:
    paths = [
        write_scripted_server(tmp_path / "a", Script()),
        write_scripted_server(tmp_path / "b", Script(faults=(Fault.STUCK,))),
    ]

    assert len({sha256(path.read_bytes()).hexdigest() for path in paths}) == 2


def test_a_script_survives_being_written() -> None:
    script = Script(faults=(Fault.STUCK, Fault.WARM_CACHE), devices=("CUDA0: a card",))

    assert Script.from_json(script.to_json()) == script
