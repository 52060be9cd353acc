"""Who runs a sweep is told by a heartbeat, on the database's clock."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from db.database import Database, open_database
from db.errors import DatabaseError
from db.rows import Driver
from orchestrator.sweeping.heartbeat import STALE_S, Heartbeat, TakenOverError
from orchestrator.sweeping.session import is_alive
from tests.db.scenes import SPACE, start_sweep

ELSEWHERE = Driver("a-host-far-away", 100, 1.7e9)
OTHER = Driver("another-host", 7, 1.8e9)


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, database: Path) -> Iterator[Database]:
    """A database of each kind."""
    at = request.getfixturevalue("postgres_url") if request.param != "sqlite" else str(database)
    with open_database(at) as made:
        yield made


def silence(database: Database, seconds: float) -> None:
    """Lets the last beat be so long ago."""
    with database.engine.begin() as connection:
        connection.execute(text(f"UPDATE sweeps SET heartbeat = heartbeat - {seconds}"))


def take(database: Database, driver: Driver) -> Driver:
    """Starts the sweep's command as that driver."""
    return database.sweeps.start_or_resume(
        "sweep-key", SPACE, driver, fingerprint={}, is_alive=is_alive
    ).driver


def test_a_driver_of_another_host_that_beats_is_not_replaced(opened: Database) -> None:
    start_sweep(opened, driver=ELSEWHERE)
    with pytest.raises(DatabaseError, match="already run by process 100 on a-host-far-away"):
        take(opened, OTHER)


def test_one_that_is_silent_for_long_is_replaced(opened: Database) -> None:
    start_sweep(opened, driver=ELSEWHERE)
    silence(opened, STALE_S + 1)
    assert take(opened, OTHER) == OTHER


def test_a_beat_ends_the_silence(opened: Database) -> None:
    sweep = start_sweep(opened, driver=ELSEWHERE)
    silence(opened, 1000.0)
    before = opened.sweeps.find("kv").driver.silent_s
    assert before is not None
    assert before >= 1000.0
    assert opened.sweeps.beat(sweep.id, ELSEWHERE)
    after = opened.sweeps.find("kv").driver.silent_s
    assert after is not None
    assert after < 1000.0


def test_a_driver_that_was_replaced_stops_and_says_so(opened: Database) -> None:
    sweep = start_sweep(opened, driver=ELSEWHERE)
    silence(opened, STALE_S + 1)
    take(opened, OTHER)
    stopping = threading.Event()
    late = Heartbeat(opened, sweep.id, ELSEWHERE, stopping)
    late.beat()
    assert stopping.is_set()
    with pytest.raises(TakenOverError, match="Another driver has taken this sweep over"):
        late.check()
    assert opened.sweeps.find("kv").driver == OTHER
