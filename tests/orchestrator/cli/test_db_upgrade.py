"""`orchestrate db upgrade`: a copy beside the file, then this version's schema."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from db.address import Address
from db.database import open_database
from db.schema import HEAD, REVISIONS, VERSION_TABLE, migrate
from db.sqlite import sqlite_engine
from tests.orchestrator.cli.calling import Caller

OLD = REVISIONS[-2]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A database of the schema before this one."""
    path = tmp_path / "old.db"
    engine = sqlite_engine(Address.parse(str(path)), read_only=False)
    migrate(engine, to=OLD)
    engine.dispose()
    return path


def version(path: Path) -> str:
    """The schema of a file."""
    with closing(sqlite3.connect(path)) as connection:
        return str(connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()[0])


def test_it_is_copied_and_migrated(orchestrate: Caller, old: Path) -> None:
    said = orchestrate("db", "upgrade", old)
    copy = old.with_name(f"old.db.bak-{OLD}")
    assert (said.code, said.err) == (0, "")
    assert said.out == f"{old}: schema {OLD} became {HEAD}. The old one is {copy}.\n"
    assert (version(old), version(copy)) == (HEAD, OLD)


def test_it_can_be_read_afterwards(orchestrate: Caller, old: Path) -> None:
    assert f"older schema ({OLD}" in orchestrate("status", "--storage", old).sentence
    orchestrate("db", "upgrade", old)
    open_database(str(old), read_only=True).close()


def test_a_current_one_is_left_alone(orchestrate: Caller, empty: Path) -> None:
    said = orchestrate("db", "upgrade", empty)
    assert (said.code, said.out) == (0, f"{empty} is at schema {HEAD} already.\n")
    assert not list(empty.parent.glob("*.bak-*"))


def test_an_earlier_copy_is_kept(orchestrate: Caller, old: Path) -> None:
    earlier = old.with_name(f"old.db.bak-{OLD}")
    earlier.write_text("kept")
    said = orchestrate("db", "upgrade", old)
    assert said.out.endswith(f"The old one is {earlier}-2.\n")
    assert earlier.read_text() == "kept"


def test_the_variable_names_the_database(
    orchestrate: Caller, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORCHESTRATE_STORAGE", str(old))
    assert orchestrate("db", "upgrade").code == 0
    assert version(old) == HEAD


def test_a_newer_one_is_refused_and_not_copied(orchestrate: Caller, old: Path) -> None:
    engine = sqlite_engine(Address.parse(str(old)), read_only=False)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    engine.dispose()
    said = orchestrate("db", "upgrade", old)
    assert (said.code, said.out) == (2, "")
    assert "was written by a newer orchestrate (schema 9999" in said.sentence
    assert not list(old.parent.glob("*.bak-*"))


@pytest.mark.parametrize(
    ("name", "says"), [("no.db", "there is no database at "), (".", " is a directory.")]
)
def test_what_is_no_database_is_a_sentence(
    orchestrate: Caller, tmp_path: Path, name: str, says: str
) -> None:
    said = orchestrate("db", "upgrade", tmp_path / name)
    assert (said.code, said.out) == (2, "")
    assert says in said.sentence


def test_an_empty_file_holds_no_sweeps(orchestrate: Caller, tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    said = orchestrate("db", "upgrade", tmp_path / "empty.db")
    assert (said.code, said.out) == (2, "")
    assert " holds no sweeps. " in said.sentence
