"""What pages and analysis read: each trial with everything that is known of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event

from db.database import Database
from db.rows import SweepRow
from db.states import TrialState
from search_spaces.metrics import Facet
from tests.db.scenes import add_trial, run_job, start_sweep
from tests.support.outcomes import CANDIDATE, RIG, make_failed, make_job, make_result
from workers.contract.outcome import Completed, JobTrace, LaunchRecord

PERPLEXITY = {Facet.PERPLEXITY: "p-1"}


@pytest.fixture
def sweep(database: Database) -> SweepRow:
    """A sweep that has just begun."""
    return start_sweep(database)


def measure_perplexity(database: Database) -> None:
    """A perplexity under a key that several trials share."""
    job = make_job("text", facets=(Facet.PERPLEXITY,), memo=PERPLEXITY)
    result = make_result(job, Facet.PERPLEXITY, "ppl", 12.5)
    trace = JobTrace(launches=(LaunchRecord(("llama-perplexity",), "logs/p.log", 7, 0.1),))
    run_job(
        database, Completed("text", (result,), trace), id="text", facets=job.facets, memo=job.memo
    )


def test_a_complete_trial_has_all_of_its_estimates(database: Database, sweep: SweepRow) -> None:
    measure_perplexity(database)
    run_job(database)
    trial = add_trial(database, sweep, memo={**make_job().memo, **PERPLEXITY})
    database.trials.complete(trial.id)
    (result,) = database.results(sweep.id)
    assert result.trial == database.trials.get(trial.id)
    assert {name: m.value for name, m in result.estimates.items()} == {
        "tok_s": 60.0,
        "mem_peak_mib": 9_000.0,
        "ppl": 12.5,
    }
    assert result.failure is None
    assert result.simulated is False


def test_argv_and_log_are_those_of_the_run_on_the_rig(database: Database, sweep: SweepRow) -> None:
    measure_perplexity(database)
    run_job(database)
    add_trial(database, sweep, memo={**PERPLEXITY, **make_job().memo})
    (result,) = database.results(sweep.id)
    assert result.argv == ("llama-server", "-c", "4096")
    assert result.log_path == "logs/1.log"
    assert result.jobs == ("job-1", "text")


def test_flags_come_from_the_trial_and_from_its_facets(database: Database, sweep: SweepRow) -> None:
    job = make_job()
    run_job(database, Completed(job.id, (make_result(job, flags=("noisy", "drift")),)))
    trial = add_trial(database, sweep, memo=job.memo)
    database.trials.flag(trial.id, ["mine", "noisy"])
    (result,) = database.results(sweep.id)
    assert result.flags == ("mine", "noisy", "drift")


def test_flags_of_an_estimate_that_was_replaced_are_gone(
    database: Database, sweep: SweepRow
) -> None:
    memo = make_job().memo
    for id, n, flag in (("a", 2, "noisy"), ("b", 9, "steady")):
        job = make_job(id, memo=memo)
        run_job(database, Completed(id, (make_result(job, n=n, flags=(flag,)),)), id=id, memo=memo)
    add_trial(database, sweep, memo=memo)
    (result,) = database.results(sweep.id)
    assert result.flags == ("steady",)


def test_gates_are_those_of_the_jobs(database: Database, sweep: SweepRow) -> None:
    outcome = run_job(database)
    add_trial(database, sweep, memo=make_job().memo)
    (result,) = database.results(sweep.id)
    assert result.gates == outcome.trace.gates


def test_a_failed_trial_says_why(database: Database, sweep: SweepRow) -> None:
    job = make_job()
    failed = make_failed(job)
    run_job(database, failed)
    trial = add_trial(database, sweep, memo=job.memo)
    database.trials.fail(trial.id, job.id)
    (result,) = database.results(sweep.id)
    assert result.trial.state is TrialState.FAILED
    assert result.failure is not None
    assert result.failure.diagnosis == failed.diagnosis
    assert (result.jobs, result.log_path) == (("job-1",), "logs")


def test_a_replayed_trial_shows_the_numbers_of_its_origin(
    database: Database, sweep: SweepRow
) -> None:
    run_job(database)
    origin = add_trial(database, sweep, 0, memo=make_job().memo)
    replayed = add_trial(database, sweep, 1, replace(CANDIDATE, n_max=9), {Facet.MEMORY: "mine"})
    database.trials.replay(replayed.id, origin.id)
    results = database.results(sweep.id)
    assert results[1].estimates == results[0].estimates
    assert results[1].trial.same_as == origin.id


def test_a_waiting_trial_has_nothing_yet(database: Database, sweep: SweepRow) -> None:
    add_trial(database, sweep, memo=make_job().memo)
    (result,) = database.results(sweep.id)
    assert (result.estimates, result.jobs, result.argv, result.log_path) == ({}, (), (), "")


def test_simulated_numbers_are_marked(database: Database, sweep: SweepRow) -> None:
    job = make_job()
    database.jobs.start(job, replace(RIG, simulated=True))
    database.jobs.record(Completed(job.id, (make_result(job),)))
    add_trial(database, sweep, memo=job.memo)
    (result,) = database.results(sweep.id)
    assert result.simulated is True
    assert result.estimates["tok_s"].simulated is True


def test_other_sweeps_are_left_out(database: Database, sweep: SweepRow) -> None:
    add_trial(database, start_sweep(database, "other"))
    assert database.results(sweep.id) == ()


def test_the_number_of_queries_does_not_grow(database: Database, sweep: SweepRow) -> None:
    def queries() -> int:
        seen: list[str] = []

        def note(_c: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
            seen.append(statement)

        event.listen(database.engine, "before_cursor_execute", note)
        database.results(sweep.id)
        event.remove(database.engine, "before_cursor_execute", note)
        return len(seen)

    counts = []
    for number in range(6):
        run_job(database, id=f"job-{number}")
        add_trial(database, sweep, number, memo=make_job(f"job-{number}").memo)
        counts.append(queries())
    assert len(set(counts)) == 1
