"""A sweep is started once, resumed by its key, and found by what people call it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from db.database import Database, open_database
from db.errors import DatabaseError
from db.rows import Driver
from db.states import SweepState
from search_spaces.space import Space
from tests.db.scenes import DRIVER, SPACE, start_sweep

OTHER = Driver("tower", 200, 1.8e9)


def test_a_new_sweep_holds_what_it_was_given(database: Database) -> None:
    sweep = start_sweep(database)
    assert (sweep.key, sweep.name, sweep.title) == ("sweep-key", "kv", "K/V pairs")
    assert sweep.space == SPACE
    assert sweep.fingerprint == {"orchestrate": "0.1.0"}
    assert (sweep.state, sweep.runs, sweep.driver) == (SweepState.RUNNING, 1, DRIVER)
    assert sweep.started.tzinfo == UTC
    assert database.sweeps.get("sweep-key") == sweep


def test_the_same_key_resumes(database: Database) -> None:
    first = start_sweep(database)
    database.sweeps.interrupt(first.id)
    again = start_sweep(database, driver=OTHER)
    assert (again.id, again.runs, again.state) == (first.id, 2, SweepState.RUNNING)
    assert (again.driver, again.ended, again.started) == (OTHER, None, first.started)


def test_another_key_is_another_sweep_of_the_same_name(database: Database) -> None:
    assert start_sweep(database, "one").id != start_sweep(database, "two").id


@pytest.mark.parametrize("end", ["finish", "interrupt"])
def test_an_ended_sweep_says_when(database: Database, end: str) -> None:
    sweep = start_sweep(database)
    getattr(database.sweeps, end)(sweep.id)
    ended = database.sweeps.find("kv")
    assert ended.ended is not None
    assert ended.state == {"finish": "finished", "interrupt": "interrupted"}[end]


def test_a_sweep_that_is_being_run_is_not_taken_over(database: Database) -> None:
    start_sweep(database)
    with pytest.raises(DatabaseError) as caught:
        database.sweeps.start_or_resume(
            "sweep-key", SPACE, OTHER, fingerprint={}, is_alive=lambda driver: driver == DRIVER
        )
    assert caught.value.message == "the sweep kv is already run by process 100 on tower."
    assert database.sweeps.find("kv").driver == DRIVER


def test_a_sweep_whose_driver_died_is_taken_over(database: Database) -> None:
    start_sweep(database)
    assert start_sweep(database, driver=OTHER).driver == OTHER


def test_a_driver_may_begin_its_own_sweep_again(database: Database) -> None:
    start_sweep(database)
    again = database.sweeps.start_or_resume(
        "sweep-key", SPACE, DRIVER, fingerprint={}, is_alive=lambda _driver: True
    )
    assert again.runs == 2


@pytest.fixture
def three(tmp_path: Path) -> Database:
    """Sweeps started an hour apart: kv (aa1), kv (bb1), ctx (bb2)."""
    hours = count()
    start = datetime(2026, 1, 1, tzinfo=UTC)
    database = open_database(
        str(tmp_path / "three.db"), clock=lambda: start + timedelta(hours=next(hours))
    )
    start_sweep(database, "aa1")
    start_sweep(database, "bb1")
    renamed = Space.model_validate({**SPACE.model_dump(by_alias=True), "name": "ctx"})
    database.sweeps.start_or_resume(
        "bb2", renamed, DRIVER, fingerprint={}, is_alive=lambda _driver: False
    )
    return database


@pytest.mark.parametrize(
    ("reference", "key"), [("latest", "bb2"), ("kv", "bb1"), ("ctx", "bb2"), ("aa", "aa1")]
)
def test_people_find_the_newest_that_fits(three: Database, reference: str, key: str) -> None:
    assert three.sweeps.find(reference).key == key


def test_sweeps_are_listed_newest_first(three: Database) -> None:
    assert [sweep.key for sweep in three.sweeps.list()] == ["bb2", "bb1", "aa1"]


def test_a_name_that_is_nearly_right_is_helped(three: Database) -> None:
    with pytest.raises(DatabaseError) as caught:
        three.sweeps.find("ctxx")
    assert caught.value.message == f"there is no sweep 'ctxx' in {three.shown}."
    assert caught.value.hint == "Did you mean 'ctx'?"


@pytest.mark.parametrize("reference", ["%", "_", "a%"])
def test_wildcards_of_sql_mean_nothing(three: Database, reference: str) -> None:
    with pytest.raises(DatabaseError):
        three.sweeps.find(reference)


def test_without_any_sweep_the_hint_is_to_run_one(database: Database) -> None:
    assert database.sweeps.latest() is None
    with pytest.raises(DatabaseError) as caught:
        database.sweeps.find("latest")
    assert caught.value.hint == "Run one first: orchestrate sweep."
