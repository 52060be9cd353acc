"""A writer that is killed leaves each outcome whole, or not there at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from db.database import open_database
from db.states import JobState
from tests.support.outcomes import make_completed, make_job

ROOT = Path(__file__).parents[2]


def write_and_kill(path: Path, after: int) -> list[str]:
    """Kills a writer once it has said that `after` jobs are recorded; returns those it named."""
    command = [sys.executable, "-m", "tests.db.endless_writer", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline().strip() for _ in range(after)]
        writer.kill()
        # What it still said before it died counts too, but for a last line that was cut off.
        rest = writer.stdout.read()
    return [*said, *rest[: rest.rfind("\n") + 1].split()]


@pytest.mark.chaos
def test_every_outcome_is_whole_or_absent(tmp_path: Path) -> None:
    path = tmp_path / "killed.db"
    recorded: set[str] = set()
    for after in (1, 2, 3, 5, 8, 13):
        recorded.update(write_and_kill(path, after))
        with open_database(str(path)) as database, database.engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
            ids = connection.exec_driver_sql("SELECT id, state FROM jobs").all()
            done = {id for id, state in ids if state == JobState.DONE}
            assert recorded <= done  # what was said to be recorded is
            for id in done:
                assert database.jobs.outcome(id) == make_completed(make_job(id))
            running = [job.id for job in database.jobs.running()]
            known = database.memo.known(f"{id}:throughput" for id in running)
            assert known.measured == frozenset()
            assert database.memo.samples_for(f"{id}:throughput" for id in running) == {}
