"""The migrations, the tables and the version: one truth told three times."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect, text

from db.address import Address
from db.database import Database, open_database
from db.errors import DatabaseError
from db.schema import (
    HEAD,
    REVISIONS,
    VERSION_TABLE,
    alembic_config,
    current_version,
    differences,
    migrate,
)
from db.sqlite import sqlite_engine
from db.tables.all import METADATA, is_optunas
from tests.db.scenes import contents, start_sweep


@pytest.fixture
def empty(tmp_path: Path) -> Engine:
    """An engine on a file that does not exist yet."""
    return sqlite_engine(Address.parse(str(tmp_path / "empty.db")), read_only=False)


def test_the_migrations_make_exactly_the_tables(database: Database) -> None:
    with database.engine.connect() as connection:
        assert differences(connection) == []
        assert set(METADATA.tables) <= set(inspect(connection).get_table_names())


def test_a_new_database_is_at_the_head(database: Database) -> None:
    with database.engine.connect() as connection:
        assert current_version(connection) == HEAD


def test_every_migration_can_be_taken_back(database: Database) -> None:
    with database.engine.connect() as connection, connection.begin():
        command.downgrade(alembic_config(connection), "base")
        assert set(inspect(connection).get_table_names()) == {VERSION_TABLE}


def test_the_revisions_are_those_on_disk(empty: Engine) -> None:
    with empty.connect() as connection:
        script = ScriptDirectory.from_config(alembic_config(connection))
    assert tuple(r.revision for r in script.walk_revisions())[::-1] == REVISIONS
    assert script.get_heads() == [HEAD]


def test_no_table_of_ours_could_be_optunas() -> None:
    from optuna.storages._rdb import models

    optunas = {*models.BaseModel.metadata.tables, "alembic_version"}
    assert all(is_optunas(table) for table in optunas)
    assert not any(is_optunas(table) for table in (*METADATA.tables, VERSION_TABLE))


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_an_older_schema_is_migrated_when_opened(empty: Engine, revision: str) -> None:
    migrate(empty, to=revision)
    with open_database(empty.url.render_as_string()) as database:
        start_sweep(database)
        with database.engine.connect() as connection:
            assert differences(connection) == []


def test_migrating_keeps_what_is_there(tmp_path: Path) -> None:
    path = str(tmp_path / "kept.db")
    with open_database(path) as database:
        start_sweep(database)
        before = contents(database)
    with open_database(path) as database:
        assert contents(database) == before


def test_a_current_database_is_opened_without_alembic(tmp_path: Path) -> None:
    path = str(tmp_path / "current.db")
    open_database(path).close()
    with mock.patch("db.schema.migrate", side_effect=AssertionError("migrated")):
        open_database(path).close()


def test_a_migration_that_fails_leaves_nothing(empty: Engine) -> None:
    with empty.connect() as connection, connection.begin():
        connection.execute(text("CREATE TABLE samples (id INTEGER)"))  # what 0003 will trip over
    with pytest.raises(Exception, match="already exists"):
        migrate(empty)
    with empty.connect() as connection:
        assert inspect(connection).get_table_names() == ["samples"]


def test_an_older_schema_is_not_touched_by_a_reader(empty: Engine) -> None:
    migrate(empty, to="0001")
    path = str(empty.url.database)
    with pytest.raises(DatabaseError) as caught:
        open_database(path, read_only=True)
    assert caught.value.message == (
        f"{path} has an older schema (0001, this orchestrate needs {HEAD})."
    )
    assert caught.value.hint == f"Migrate it: orchestrate db upgrade {path}."


@pytest.mark.parametrize("read_only", [True, False])
def test_a_newer_schema_is_refused(empty: Engine, read_only: bool) -> None:
    migrate(empty)
    with empty.connect() as connection, connection.begin():
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    path = str(empty.url.database)
    with pytest.raises(DatabaseError) as caught:
        open_database(path, read_only=read_only)
    assert caught.value.message == (
        f"{path} was written by a newer orchestrate (schema 9999, this one knows {HEAD})."
    )
    assert caught.value.hint == "Upgrade orchestrate, or name another database."


def test_a_table_of_somebody_else_with_our_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE jobs (id INTEGER)"))
    engine.dispose()
    with pytest.raises(DatabaseError, match="already has a table 'jobs' that is not ours"):
        open_database(str(path))


def test_a_developer_can_run_alembic_on_a_url(tmp_path: Path) -> None:
    path = tmp_path / "developer.db"
    run = [sys.executable, "-m", "alembic", "-c", "db/alembic.ini", "-x", f"url=sqlite:///{path}"]
    root = Path(__file__).parents[2]
    for action in (["upgrade", "head"], ["check"]):
        done = subprocess.run([*run, *action], cwd=root, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
