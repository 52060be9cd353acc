"""Finding a build's programs, and knowing a build by its content."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workers.engines.binary import NoBinaryError, beside, build_sha256, find_server


def program(path: Path, content: bytes = b"\x7fELF program libllama.so.0\0") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("folder", ["", "bin", "build/bin"])
def test_a_server_is_found_in_a_directory(folder: str, tmp_path: Path) -> None:
    server = program(tmp_path / folder / "llama-server")
    assert find_server(str(tmp_path)) == server


def test_a_server_is_found_by_its_path(tmp_path: Path) -> None:
    server = program(tmp_path / "my-fork-server")
    assert find_server(str(server)) == server


def test_a_server_is_found_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = program(tmp_path / "bee-server")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert find_server("bee-server") == server


def test_a_home_directory_is_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    server = program(tmp_path / "llama" / "llama-server")
    assert find_server("~/llama") == server


def test_a_relative_path_becomes_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin" / "llama-server")
    monkeypatch.chdir(tmp_path)
    assert find_server("bin").is_absolute()


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(NoBinaryError, match="no file, directory or command"):
        find_server(str(tmp_path / "nothing"))


def test_tools_lie_beside_the_server(tmp_path: Path) -> None:
    server = program(tmp_path / "llama-server")
    assert beside(server, "llama-perplexity") is None
    tool = program(tmp_path / "llama-perplexity")
    assert beside(server, "llama-perplexity") == tool


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A wrapper that loads a library that loads another, and a backend found by name."""
    server = program(tmp_path / "bin" / "llama-server")
    (server.parent / "libllama.so.0.6.0").write_bytes(b"code of libcommon.so\0")
    (server.parent / "libllama.so.0").symlink_to("libllama.so.0.6.0")
    (server.parent / "libcommon.so").write_bytes(b"more code")
    (server.parent / "libggml-cuda.so").write_bytes(b"kernels")
    (server.parent / "libother.so").write_bytes(b"of another program")
    return server


@pytest.mark.parametrize("name", ["libllama.so.0.6.0", "libcommon.so", "libggml-cuda.so"])
def test_a_changed_library_is_another_build(build: Path, name: str) -> None:
    before = build_sha256(build)
    (build.parent / name).write_bytes(b"changed code, libcommon.so\0")
    assert build_sha256(build) != before


def test_a_library_of_another_program_does_not_count(build: Path) -> None:
    before = build_sha256(build)
    (build.parent / "libother.so").write_bytes(b"changed")
    assert build_sha256(build) == before


def test_a_copy_elsewhere_is_the_same_build(build: Path, tmp_path: Path) -> None:
    before = build_sha256(build)
    moved = build.parent.rename(tmp_path / "moved")
    assert build_sha256(moved / "llama-server") == before


def test_libraries_of_an_installation_count(tmp_path: Path) -> None:
    server = program(tmp_path / "bin" / "llama-server")
    before = build_sha256(server)
    program(tmp_path / "lib" / "libllama.so.0", b"code")
    assert build_sha256(server) != before
