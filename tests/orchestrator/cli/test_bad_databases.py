"""A database that cannot be used: one sentence that names it, exit code 2, and no traceback."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.orchestrator.cli.calling import Caller
from tests.orchestrator.cli.scenes import Scene

READERS = ["status", "pareto", "export"]
SHOWERS = [*READERS, "dashboard"]


def directory(path: Path) -> None:
    path.mkdir()


def text_file(path: Path) -> None:
    path.write_text("not a database, though long enough to hold a header")


def damaged(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)


def empty_file(path: Path) -> None:
    path.touch()


def missing(path: Path) -> None:
    pass


@pytest.mark.parametrize("command", SHOWERS)
@pytest.mark.parametrize(
    ("make", "says"),
    [
        (directory, "is a directory."),
        (text_file, "is not an SQLite database."),
        (damaged, "is not an SQLite database."),
        (empty_file, "holds no sweeps."),
        (missing, "there is no database at"),
    ],
)
def test_readers(
    orchestrate: Caller, tmp_path: Path, command: str, make: Callable[[Path], None], says: str
) -> None:
    path = tmp_path / "some.db"
    make(path)
    said = orchestrate(command, "--storage", path)
    assert (said.code, said.out) == (2, "")
    assert str(path) in said.sentence
    assert says in said.sentence


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (directory, "is a directory."),
        (text_file, "is not an SQLite database."),
        (damaged, "is not an SQLite database."),
    ],
)
def test_the_writer(
    orchestrate: Caller,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Path], None],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "some.db"
    make(path)
    said = orchestrate("sweep", "--space", "kv_dflash", "--storage", path)
    assert (said.code, said.out) == (2, "")
    assert says in said.sentence


def test_a_folder_that_is_not_there(
    orchestrate: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = orchestrate("sweep", "--space", "kv_dflash", "--storage", tmp_path / "no" / "some.db")
    assert said.code == 2
    assert said.sentence.startswith(f"the directory {tmp_path / 'no'} does not exist.")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_written(
    orchestrate: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "some.db"
    path.touch(mode=0o400)
    said = orchestrate("sweep", "--space", "kv_dflash", "--storage", path)
    assert said.code == 2
    assert said.sentence.startswith(f"{path} cannot be written.")


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no /proc, where no file can be made")
def test_a_folder_that_takes_no_files(
    orchestrate: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = orchestrate("sweep", "--space", "kv_dflash", "--storage", "/proc/self/some.db")
    assert (said.code, said.out) == (2, "")
    assert "/proc/self" in said.sentence
    assert " be " in said.sentence


@pytest.mark.parametrize("command", READERS)
def test_an_unknown_sweep_gets_the_nearest(orchestrate: Caller, swept: Scene, command: str) -> None:
    said = orchestrate(command, "--storage", swept.storage, "--sweep", "kvs")
    assert (said.code, said.out) == (2, "")
    assert said.sentence == f"there is no sweep 'kvs' in {swept.storage}. Did you mean 'kv'?"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://host/db", "mysql databases are not supported."),
        ("postgresql://me:secret@:x/db", "is not a database URL."),
        ("sqlite:///:memory:", "a database in memory would forget the sweep when it ends."),
        ("", "the name of the database is empty"),
    ],
)
def test_a_url_that_is_none(orchestrate: Caller, url: str, says: str) -> None:
    said = orchestrate("status", "--storage", url)
    assert (said.code, said.out) == (2, "")
    assert says in said.sentence
    assert "secret" not in said.sentence
