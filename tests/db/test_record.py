"""An outcome is recorded whole, exactly, in one transaction, and once."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from db.codec import dumps, to_json
from db.database import Database
from search_spaces.metrics import Facet
from tests.db.scenes import contents, run_job
from tests.support.outcomes import RIG, make_completed, make_failed, make_job, make_result, outcomes
from workers.contract.failure import FailureKind

IDS = itertools.count()  # every example is a job of its own
FACETS = (Facet.THROUGHPUT, Facet.MEMORY, Facet.PERPLEXITY)
one_database = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60
)


class InjectedError(Exception):
    """What the tests below throw into the middle of a transaction."""


@one_database
@given(st.data())
def test_any_outcome_comes_back_as_it_was(database: Database, data: st.DataObject) -> None:
    job = make_job(f"job-{next(IDS)}", facets=FACETS)
    outcome = data.draw(outcomes(job))
    database.jobs.start(job, RIG)
    assert database.jobs.record(outcome) is True
    again = database.jobs.outcome(job.id)
    assert type(again) is type(outcome)
    assert dumps(to_json(again)) == dumps(to_json(outcome))  # texts: NaN is not equal to itself


def test_recording_the_same_outcome_twice_changes_nothing(database: Database) -> None:
    outcome = run_job(database)
    before = contents(database)
    assert database.jobs.record(outcome) is False
    assert contents(database) == before


def test_a_second_outcome_of_a_job_changes_nothing_either(database: Database) -> None:
    run_job(database)
    before = contents(database)
    assert database.jobs.record(make_failed(make_job())) is False
    assert contents(database) == before


def count_statements(database: Database, outcome: Any) -> int:
    """How many statements a recording takes."""
    seen: list[str] = []

    def note(_c: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        seen.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    database.jobs.record(outcome)
    event.remove(database.engine, "before_cursor_execute", note)
    return len(seen)


def test_a_fault_at_any_statement_leaves_nothing(database: Database) -> None:
    """Every statement of a recording is made to fail once; only the last try succeeds."""
    probe = make_job("probe")
    database.jobs.start(probe, RIG)
    failed = make_failed(probe, results=make_completed(probe).results)
    statements = count_statements(database, replace(failed, trace=make_completed(probe).trace))
    assert statements > 8

    job = make_job("job")
    database.jobs.start(job, RIG)
    outcome = replace(
        make_failed(job, results=make_completed(job).results), trace=make_completed(job).trace
    )
    before = contents(database)
    for doomed in range(statements):
        left = iter(range(doomed))

        def fail(*_args: Any, left: Any = left) -> None:
            if next(left, None) is None:
                raise InjectedError

        event.listen(database.engine, "before_cursor_execute", fail)
        with pytest.raises(InjectedError):
            database.jobs.record(outcome)
        event.remove(database.engine, "before_cursor_execute", fail)
        assert contents(database) == before
    assert database.jobs.record(outcome) is True
    assert database.jobs.outcome("job") == outcome


def test_a_failure_keeps_the_facets_that_were_measured(database: Database) -> None:
    job = make_job()
    outcome = make_failed(job, results=(make_result(job),))
    run_job(database, outcome)
    assert database.jobs.outcome(job.id) == outcome
    known = database.memo.known(job.memo.values())
    assert known.measured == {job.memo[Facet.THROUGHPUT]}
    assert set(known.failed) == {job.memo[Facet.MEMORY]}


def test_a_log_of_any_bytes_can_be_stored(database: Database) -> None:
    job = make_job()
    failed = make_failed(job, FailureKind.ENGINE_CRASH)
    dirty = replace(failed, trace=replace(failed.trace, log_tail="a\0b\udcffc"))
    run_job(database, dirty)
    row = database.jobs.get(job.id)
    assert row is not None
    assert row.log_tail == "a\ufffdb\ufffdc"
