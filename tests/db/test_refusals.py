"""Every file that cannot be our database is refused with one sentence and a next step."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from db.database import Database, open_database
from db.errors import DatabaseError
from tests.db.scenes import contents, run_job, start_sweep

NOBODY = 65_534


def refusal(path: Path | str, *, read_only: bool = False) -> str:
    """The message of the refusal, after checking that it also says what to do."""
    with pytest.raises(DatabaseError) as caught:
        open_database(str(path), read_only=read_only)
    assert caught.value.hint
    assert "\n" not in str(caught.value)
    return caught.value.message


@pytest.fixture
def directory() -> Iterator[Path]:
    """A directory that a process without privileges may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.fixture
def unprivileged(directory: Path) -> Iterator[None]:
    """Gives up root for the test: to root every file can be written."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    yield
    os.seteuid(0)


def test_a_directory(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"{tmp_path} is a directory."


def test_a_directory_that_does_not_exist(tmp_path: Path) -> None:
    path = tmp_path / "no" / "such.db"
    assert refusal(path) == f"the directory {path.parent} does not exist."


def test_a_device() -> None:
    assert refusal("/dev/null") == "/dev/null is not a regular file."


def test_a_text(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are notes, not a database")
    assert refusal(path) == f"{path} is not an SQLite database."


def test_a_text_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("notes")
    refusal(path)
    assert path.read_text() == "notes"
    assert list(tmp_path.iterdir()) == [path]


def test_a_damaged_database(tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    with open_database(str(path)) as database:
        start_sweep(database)
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))
    assert refusal(path) == f"{path} is damaged."


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    path.touch()
    open_database(str(path)).close()
    assert path.read_bytes().startswith(b"SQLite format 3")


def test_a_file_that_cannot_be_written(directory: Path, unprivileged: None) -> None:
    path = directory / "locked.db"
    open_database(str(path)).close()
    path.chmod(0o400)
    assert refusal(path) == f"{path} cannot be written."


def test_a_file_that_cannot_be_read(directory: Path, unprivileged: None) -> None:
    path = directory / "locked.db"
    open_database(str(path)).close()
    path.chmod(0o000)
    assert refusal(path) == f"{path} cannot be read: Permission denied."


def test_a_directory_that_cannot_be_written(directory: Path, unprivileged: None) -> None:
    inner = directory / "inner"
    inner.mkdir()
    inner.chmod(0o500)
    assert refusal(inner / "new.db") == f"the directory {inner} cannot be written."


def test_a_reader_needs_no_writable_directory(directory: Path, unprivileged: None) -> None:
    inner = directory / "inner"
    inner.mkdir()
    with open_database(str(inner / "old.db")) as database:
        start_sweep(database)
    inner.chmod(0o500)
    with open_database(str(inner / "old.db"), read_only=True) as database:
        assert database.sweeps.find("kv").name == "kv"
    inner.chmod(0o700)


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [
        ("nfs4", "rw", "nfs4"),
        ("cifs", "rw", "cifs"),
        ("fuse.sshfs", "rw", "fuse.sshfs"),
        ("9p", "rw,aname=drvfs;path=C:", "drvfs"),
    ],
)
def test_a_network_file_system(
    kind: str, options: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = [
        SimpleNamespace(mountpoint="/", fstype="ext4", opts="rw"),
        SimpleNamespace(mountpoint=str(tmp_path), fstype=kind, opts=options),
    ]
    monkeypatch.setattr(psutil, "disk_partitions", lambda all: mounts)
    path = tmp_path / "far.db"
    assert refusal(path) == (
        f"{path} is on a network file system ({said}), where SQLite loses data."
    )


def test_a_local_mount_inside_a_network_one_is_fine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = [
        SimpleNamespace(mountpoint="/", fstype="nfs", opts="rw"),
        SimpleNamespace(mountpoint=str(tmp_path), fstype="tmpfs", opts="rw"),
    ]
    monkeypatch.setattr(psutil, "disk_partitions", lambda all: mounts)
    open_database(str(tmp_path / "near.db")).close()


def test_a_reader_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    assert refusal(path, read_only=True) == f"there is no database at {path}."
    assert not path.exists()


def test_a_reader_of_an_empty_database(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (id)")
    connection.close()
    assert refusal(path, read_only=True) == f"{path} holds no sweeps."


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    path = str(tmp_path / "read.db")
    open_database(path).close()
    with open_database(path, read_only=True) as database:
        with pytest.raises(DatabaseError, match="is open for reading only"):
            start_sweep(database)
        with (
            pytest.raises(OperationalError, match="readonly database"),
            database.engine.begin() as connection,
        ):
            connection.exec_driver_sql("DELETE FROM sweeps")


def fill_up(database: Database) -> None:
    """From now on SQLite may not take another page: what a full disk is to it."""

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages}")

    database.engine.dispose()
    event.listen(database.engine, "connect", limit)


def test_a_full_disk_says_so_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "full.db"
    with open_database(str(path)) as database:
        run_job(database, id="before")
        fill_up(database)
        with pytest.raises(DatabaseError) as caught:
            for number in range(1000):
                before = contents(database)
                run_job(database, id=f"job-{number}")
        assert caught.value.message == f"{path} cannot grow: the disk is full."
        assert "resumes" in caught.value.hint
        after = contents(database)
    assert {table: after[table] for table in after if table not in ("jobs", "job_facets")} == {
        table: before[table] for table in before if table not in ("jobs", "job_facets")
    }


def test_a_database_that_another_program_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "held.db"
    open_database(str(path)).close()
    monkeypatch.setattr("db.sqlite.PRAGMAS", ("PRAGMA busy_timeout=1", "PRAGMA journal_mode=WAL"))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with open_database(str(path)) as database, pytest.raises(DatabaseError) as caught:
        start_sweep(database)
    other.close()
    assert caught.value.message == f"{path} is being written by another program."
