"""Engines that a killed run left behind, and those that are nobody's leftovers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from db.database import Database, open_database
from db.rows import Driver
from orchestrator.sweeping.leftovers import reap_engines
from orchestrator.sweeping.session import is_alive, this_driver
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.outcomes import RIG, make_job
from workers.rig_worker import PID_FILE

GONE = Driver(this_driver().host, 2**22 - 1, 1.0)


@pytest.fixture
def engine() -> Iterator[psutil.Process]:
    """A process that does nothing until it is killed."""
    wait = "import sys; sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", wait], stdin=subprocess.PIPE) as process:
        yield psutil.Process(process.pid)
        process.kill()


@pytest.fixture
def opened(database: Path) -> Iterator[Database]:
    """A database that holds nothing."""
    with open_database(str(database)) as opened:
        yield opened


def running_job(opened: Database, driver: Driver, id: str = "job-1", key: str = "key") -> str:
    """A job that a driver began and never ended."""
    sweep = opened.sweeps.start_or_resume(
        key, make_space(), driver, fingerprint={}, is_alive=lambda _: False
    )
    opened.jobs.start(make_job(id), RIG, sweep.id)
    return id


def write_pid(log_root: Path, job: str, engine: psutil.Process) -> Path:
    """What a worker leaves beside its logs."""
    file = log_root / job / PID_FILE
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps([engine.pid, engine.create_time()]))
    return file


def test_the_engine_of_a_dead_driver_is_killed(
    opened: Database, engine: psutil.Process, tmp_path: Path
) -> None:
    file = write_pid(tmp_path, running_job(opened, GONE), engine)
    assert reap_engines(opened, tmp_path, this_driver(), is_alive) == [engine.pid]
    assert not file.exists()


def test_the_engine_of_a_sweep_that_runs_elsewhere_is_left_alone(
    opened: Database, engine: psutil.Process, tmp_path: Path
) -> None:
    """Sweeps share a folder of logs: starting one must not kill what another measures."""
    parent = psutil.Process().parent()
    assert parent is not None
    living = Driver(GONE.host, parent.pid, parent.create_time())
    file = write_pid(tmp_path, running_job(opened, living), engine)
    assert reap_engines(opened, tmp_path, this_driver(), is_alive) == []
    assert engine.is_running()
    assert file.exists()


def test_an_engine_that_no_record_knows_is_left_alone(
    opened: Database, engine: psutil.Process, tmp_path: Path
) -> None:
    write_pid(tmp_path, "of-another-database", engine)
    assert reap_engines(opened, tmp_path, this_driver(), is_alive) == []
    assert engine.is_running()


@pytest.mark.parametrize("content", ["", "[12", "{}", '["a", "b"]', "[1]", "null"])
def test_a_half_written_note_is_no_reason_to_stop(
    opened: Database, tmp_path: Path, content: str
) -> None:
    file = tmp_path / running_job(opened, GONE) / PID_FILE
    file.parent.mkdir()
    file.write_text(content)
    assert reap_engines(opened, tmp_path, this_driver(), is_alive) == []


def test_a_driver_lives_while_its_process_does() -> None:
    assert is_alive(this_driver())
    assert not is_alive(GONE)
    assert not is_alive(Driver(this_driver().host, this_driver().pid, 1.0))
    assert is_alive(Driver("another host", 1, 1.0))
