"""One file for our records and for Optuna's study: neither disturbs the other."""

from __future__ import annotations

from collections.abc import Callable

import optuna
import pytest
from optuna.storages import RDBStorage
from sqlalchemy import text

from db.database import open_database
from db.schema import differences
from db.sqlite import apply_sqlite_pragmas
from tests.db.scenes import add_trial, run_job, start_sweep


def open_storage(url: str) -> RDBStorage:
    """Optuna's storage as a sweep opens it."""
    storage = RDBStorage(url)
    apply_sqlite_pragmas(storage.engine)
    return storage


def ask_and_tell(url: str, study: str) -> int:
    """One trial of a study; returns its number."""
    storage = open_storage(url)
    made = optuna.create_study(storage=storage, study_name=study, load_if_exists=True)
    trial = made.ask()
    trial.suggest_categorical("kv", ["f16/f16", "q8_0/q8_0"])
    made.tell(trial, 1.0)
    storage.engine.dispose()
    return trial.number


def record(url: str) -> None:
    """One trial and one job of ours."""
    with open_database(url) as database:
        sweep = start_sweep(database)
        add_trial(database, sweep)
        run_job(database)


@pytest.fixture(params=["ours first", "optuna first"])
def shared(url: str, request: pytest.FixtureRequest) -> str:
    """A database that both have made their tables in, and used twice."""
    one: Callable[[], object] = lambda: record(url)  # noqa: E731
    other: Callable[[], object] = lambda: ask_and_tell(url, "kv")  # noqa: E731
    for use in (one, other) if request.param == "ours first" else (other, one):
        use()
    return url


def test_both_keep_what_they_wrote(shared: str) -> None:
    assert ask_and_tell(shared, "kv") == 1
    with open_database(shared) as database:
        sweep = database.sweeps.find("kv")
        assert len(database.trials.list(sweep.id)) == 1
        assert database.jobs.outcome("job-1") is not None


def test_comparing_schemas_does_not_see_optunas_tables(shared: str) -> None:
    with open_database(shared) as database, database.engine.connect() as connection:
        assert differences(connection) == []


def test_each_has_a_version_of_its_own(shared: str) -> None:
    with open_database(shared) as database, database.engine.connect() as connection:
        theirs = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
        ours = connection.execute(text("SELECT version_num FROM orchestrate_version")).scalar_one()
    assert theirs != ours
    assert RDBStorage(shared).get_current_version() == theirs


def test_a_study_can_be_deleted_under_our_settings(shared: str) -> None:
    storage = open_storage(shared)
    optuna.delete_study(study_name="kv", storage=storage)
    assert optuna.get_all_study_names(storage) == []
    storage.engine.dispose()


def test_the_study_can_be_told_while_our_reader_is_open(shared: str) -> None:
    with open_database(shared, read_only=True) as database, database.engine.connect() as reader:
        reader.execute(text("SELECT count(*) FROM sweeps")).scalar_one()
        assert ask_and_tell(shared, "kv") == 1
