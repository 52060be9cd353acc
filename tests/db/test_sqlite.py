"""Readers and the one writer do not get in each other's way, and no transaction is half done."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from optuna.storages import RDBStorage
from sqlalchemy import create_engine, text

from db.database import Database, open_database
from db.sqlite import WRITES, apply_sqlite_pragmas
from tests.db.scenes import run_job, start_sweep


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A database with one sweep."""
    name = str(tmp_path / "orchestrate.db")
    with open_database(name) as database:
        start_sweep(database)
    return name


def test_optunas_connections_get_the_same_pragmas(path: str) -> None:
    with open_database(path) as database:
        storage = RDBStorage(database.url)
        apply_sqlite_pragmas(storage.engine)
        for engine in (database.engine, storage.engine):
            with engine.connect() as connection:
                found = [
                    connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                    for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
                ]
            assert found == ["wal", 1, 30_000, 1]
        storage.engine.dispose()


def test_pragmas_are_given_to_connections_that_are_already_open(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'open.db'}")
    with engine.connect() as connection:
        connection.exec_driver_sql("SELECT 1")
    apply_sqlite_pragmas(engine)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()


def test_a_reader_sees_one_state_while_a_writer_writes(path: str) -> None:
    with open_database(path) as writer, open_database(path, read_only=True) as reader:
        count = text("SELECT count(*) FROM jobs")
        with reader.engine.connect() as connection:
            assert connection.execute(count).scalar() == 0
            run_job(writer)
            assert connection.execute(count).scalar() == 0
        with reader.engine.connect() as connection:
            assert connection.execute(count).scalar() == 1


def test_writers_of_several_threads_wait_for_each_other(path: str) -> None:
    """Each reads before it writes, which fails at once where the lock is taken too late."""
    with open_database(path) as database:
        engine = database.engine.execution_options(**{WRITES: True})
        gate = threading.Barrier(4)
        errors: list[Exception] = []

        def resume_often() -> None:
            gate.wait()
            try:
                for _ in range(10):
                    with engine.begin() as connection:
                        runs = connection.execute(text("SELECT runs FROM sweeps")).scalar_one()
                        connection.execute(text(f"UPDATE sweeps SET runs = {runs + 1}"))
            except Exception as error:  # noqa: BLE001  # whatever it is, the test shows it
                errors.append(error)

        threads = [threading.Thread(target=resume_often) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert database.sweeps.find("kv").runs == 41


def test_two_processes_may_make_one_database(tmp_path: Path) -> None:
    path = tmp_path / "race.db"
    code = f"from db.database import open_database; open_database({str(path)!r}).close()"
    root = Path(__file__).parents[2]
    makers = [
        subprocess.Popen([sys.executable, "-c", code], cwd=root, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [maker.communicate()[1] for maker in makers] == ["", "", ""]
    assert [maker.returncode for maker in makers] == [0, 0, 0]
    open_database(str(path), read_only=True).close()


def test_closing_folds_the_log_into_the_file(path: str) -> None:
    with open_database(path) as database:
        run_job(database)
    assert not Path(f"{path}-wal").exists()


def test_a_database_shows_its_name_and_nothing_else(path: str) -> None:
    with open_database(path) as database:
        assert isinstance(database, Database)
        assert repr(database) == f"Database({path})"
