"""Jobs are noted before they start, so that no engine of theirs is forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from db.database import Database
from db.errors import DatabaseError
from db.rows import LiveEngine
from db.states import JobState
from search_spaces.space import EngineRef
from tests.db.scenes import DRIVER, run_job, start_sweep
from tests.support.outcomes import RIG, make_completed, make_failed, make_job
from workers.contract.outcome import LaunchRecord

LAUNCH = LaunchRecord(("llama-server",), "logs/1.log", 4242, 2.5, 1.7e9)


def test_a_started_job_holds_what_was_asked(database: Database) -> None:
    job = make_job(attempt=2)
    row = database.jobs.start(job, RIG)
    assert (row.id, row.state, row.attempt) == (job.id, JobState.RUNNING, 2)
    assert (row.resolved, row.memo) == (job.resolved, job.memo)
    assert (row.rig, row.hardware_key, row.log_path) == (RIG.name, RIG.hardware_key, "logs")
    assert database.jobs.get(job.id) == row
    assert database.jobs.outcome(job.id) is None


def test_an_ended_job_holds_how_it_went(database: Database) -> None:
    outcome = run_job(database)
    row = database.jobs.get("job-1")
    assert row is not None
    assert (row.state, row.ended is not None) == (JobState.DONE, True)
    assert (row.start_s, row.facets_s, row.wall_s) == (2.5, 40.0, 45.0)
    assert (row.argv, row.log_path) == (("llama-server", "-c", "4096"), "logs/1.log")
    assert row.telemetry == outcome.trace.telemetry


def test_a_job_whose_driver_died_early_begins_anew(database: Database) -> None:
    database.jobs.start(make_job(), RIG)
    assert database.jobs.start(make_job(attempt=2), RIG).attempt == 2


def test_a_job_with_an_outcome_is_not_begun_again(database: Database) -> None:
    run_job(database)
    with pytest.raises(DatabaseError, match="the job job-1 already has an outcome"):
        database.jobs.start(make_job(), RIG)


def test_an_outcome_of_a_job_that_never_started_is_refused(database: Database) -> None:
    with pytest.raises(DatabaseError, match="the job job-1 was never started"):
        database.jobs.record(make_completed(make_job()))


def test_the_jobs_of_a_sweep_are_listed(database: Database) -> None:
    sweep = start_sweep(database)
    database.jobs.start(make_job("a"), RIG, sweep.id)
    database.jobs.start(make_job("b"), RIG)
    assert [job.id for job in database.jobs.list(sweep.id)] == ["a"]
    assert [job.id for job in database.jobs.running()] == ["a", "b"]


def test_an_engine_is_known_from_its_start_to_its_outcome(database: Database) -> None:
    sweep = start_sweep(database)
    database.jobs.start(make_job(), RIG, sweep.id)
    database.jobs.launched("job-1", LAUNCH)
    assert database.jobs.live_engines() == (
        LiveEngine("job-1", RIG.host, LAUNCH.pid, LAUNCH.pid_started, DRIVER),
    )
    database.jobs.record(make_failed(make_job()))
    assert database.jobs.live_engines() == ()


def test_an_outcome_repeats_a_launch_only_once(database: Database) -> None:
    job = make_job()
    database.jobs.start(job, RIG)
    database.jobs.launched(job.id, LAUNCH)
    outcome = make_completed(job)
    outcome = replace(outcome, trace=replace(outcome.trace, launches=(LAUNCH,)))
    database.jobs.record(outcome)
    assert database.jobs.outcome(job.id) == outcome
    with database.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM launches").scalar() == 1


@pytest.mark.parametrize(
    ("rig", "engine", "simulated"),
    [
        (RIG, EngineRef(kind="embedded"), False),
        (replace(RIG, simulated=True), EngineRef(kind="embedded"), True),
        (RIG, EngineRef(kind="replay", path="table.jsonl"), True),
    ],
)
def test_what_no_hardware_measured_is_marked(
    database: Database, rig: object, engine: EngineRef, simulated: bool
) -> None:
    job = replace(make_job(), engine=engine)
    assert database.jobs.start(job, rig).simulated is simulated  # type: ignore[arg-type]


def test_what_launches_told_is_found_by_hardware(database: Database) -> None:
    outcome = run_job(database)
    database.jobs.start(make_job("running"), RIG)
    (told,) = database.jobs.told(RIG.hardware_key)
    launched = make_job().resolved.with_effective(dict(outcome.trace.effective))
    assert (told.resolved, told.telemetry) == (launched, outcome.trace.telemetry)
    assert database.jobs.told("another card") == ()


def test_only_the_latest_launches_are_asked_oldest_first(database: Database) -> None:
    for name, power in (("a", 100.0), ("b", 200.0), ("c", 300.0)):
        done = make_completed(make_job(name))
        run_job(
            database,
            replace(done, trace=replace(done.trace, telemetry={"power_w": power})),
            id=name,
        )
    told = database.jobs.told(RIG.hardware_key, latest=2)
    assert [launch.telemetry["power_w"] for launch in told] == [200.0, 300.0]


def test_a_launch_that_failed_tells_nothing_of_the_next(database: Database) -> None:
    run_job(database, make_failed(make_job()))
    assert database.jobs.told(RIG.hardware_key) == ()
