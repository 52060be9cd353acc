"""What is known under a memo key, whoever measured it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event

from db.database import Database
from search_spaces.metrics import Facet
from tests.db.scenes import run_job
from tests.support.outcomes import BUILD, RIG, make_completed, make_failed, make_job, make_result
from workers.contract.failure import FailureKind
from workers.contract.outcome import Completed, Estimate, FacetResult

T = (Facet.THROUGHPUT,)
MEMO = {Facet.THROUGHPUT: "t-1"}


def measure(database: Database, id: str, value: float, n: int, **job: Any) -> None:
    """A throughput job under the one memo key."""
    made = make_job(id, facets=T, memo=MEMO)
    run_job(database, make_completed(made, value, n, count=4), id=id, facets=T, memo=MEMO)


def the_estimate(database: Database) -> Estimate:
    """The one estimate under the one memo key."""
    (measurement,) = database.memo.estimates_for(["t-1"])["t-1"]
    return measurement.estimate


def test_a_measurement_names_its_unit_build_and_job(database: Database) -> None:
    measure(database, "a", 60.0, 4)
    (measurement,) = database.memo.estimates_for(["t-1"])["t-1"]
    assert measurement.estimate == Estimate("tok_s", 60.0, 60.0 * 0.98, 60.0 * 1.02, 4)
    assert (measurement.unit, measurement.facet) == ("tok/s", Facet.THROUGHPUT)
    assert (measurement.build_label, measurement.build_sha256) == (BUILD.label, BUILD.sha256)
    assert (measurement.job_id, measurement.simulated) == ("a", False)


def test_more_repetitions_replace_the_estimate(database: Database) -> None:
    measure(database, "a", 60.0, 4)
    measure(database, "b", 61.0, 8)
    assert the_estimate(database).value == 61.0


@pytest.mark.parametrize("n", [2, 4])
def test_no_more_repetitions_leave_the_estimate(database: Database, n: int) -> None:
    measure(database, "a", 60.0, 4)
    measure(database, "b", 61.0, n)
    assert the_estimate(database).value == 60.0


def test_every_sample_is_kept_with_its_job(database: Database) -> None:
    measure(database, "a", 60.0, 4)
    measure(database, "b", 61.0, 8)
    samples = database.memo.samples_for(["t-1", "unknown"])
    assert set(samples) == {"t-1"}
    assert [row.job_id for row in samples["t-1"]] == ["a"] * 4 + ["b"] * 4
    assert [row.sample for row in samples["t-1"][:4]] == list(
        make_completed(make_job(facets=T, memo=MEMO), 60.0, count=4).results[0].samples
    )


def test_numbers_that_were_made_together_stay_together(database: Database) -> None:
    for id, n, value in (("a", 2, 1.0), ("b", 9, 2.0)):
        estimates = (Estimate("tok_s", value, n=n), Estimate("draft_n", value, n=1))
        result = FacetResult(Facet.THROUGHPUT, "t-1", BUILD, estimates)
        run_job(database, Completed(id, (result,)), id=id, facets=T, memo=MEMO)
    assert {m.value for m in database.memo.estimates_for(["t-1"])["t-1"]} == {2.0}


def test_an_estimate_that_is_no_number_stays_none(database: Database) -> None:
    result = FacetResult(Facet.THROUGHPUT, "t-1", BUILD, (Estimate("tok_s", math.nan),))
    run_job(database, Completed("a", (result,)), id="a", facets=T, memo=MEMO)
    assert math.isnan(the_estimate(database).value)


def test_unknown_keys_are_neither_measured_nor_failed(database: Database) -> None:
    known = database.memo.known(["nothing"])
    assert (known.measured, known.failed) == (frozenset(), {})


def test_a_running_job_is_not_known_yet(database: Database) -> None:
    database.jobs.start(make_job("a", facets=T, memo=MEMO), RIG)
    assert database.memo.known(["t-1"]).measured == frozenset()


def test_a_facet_without_an_estimate_is_measured_all_the_same(database: Database) -> None:
    result = FacetResult(Facet.QUALITY, "q-1", BUILD, ())
    memo = {Facet.QUALITY: "q-1"}
    run_job(database, Completed("a", (result,)), id="a", facets=(Facet.QUALITY,), memo=memo)
    assert database.memo.known(["q-1"]).measured == {"q-1"}


def test_a_deterministic_failure_is_known_with_its_diagnosis(database: Database) -> None:
    failed = make_failed(make_job("a", facets=T, memo=MEMO))
    run_job(database, failed, id="a", facets=T, memo=MEMO)
    row = database.memo.known(["t-1"]).failed["t-1"]
    assert (row.diagnosis, row.phase, row.job_id) == (failed.diagnosis, failed.phase, "a")
    assert (row.rig, row.hardware_key) == (RIG.name, RIG.hardware_key)
    assert row.log_tail == "the last lines"


def test_a_failure_by_chance_is_not_held_against_a_key(database: Database) -> None:
    failed = make_failed(make_job("a"), FailureKind.WORKER_LOST, deterministic=False)
    run_job(database, failed, id="a", facets=T, memo=MEMO)
    assert database.memo.known(["t-1"]).failed == {}


def test_a_key_that_was_measured_once_has_not_failed(database: Database) -> None:
    run_job(database, make_failed(make_job("a")), id="a", facets=T, memo=MEMO)
    measure(database, "b", 60.0, 4)
    known = database.memo.known(["t-1"])
    assert known.measured == {"t-1"}
    assert known.failed == {}


def test_a_failure_counts_only_for_hardware_like_its_own(database: Database) -> None:
    run_job(database, make_failed(make_job("a")), id="a", facets=T, memo=MEMO)
    laptop = replace(RIG, cpu_model="another").hardware_key
    assert database.memo.known(["t-1"], hardware_key=laptop).failed == {}
    assert set(database.memo.known(["t-1"], hardware_key=RIG.hardware_key).failed) == {"t-1"}


@pytest.mark.parametrize("lookup", ["known", "estimates_for", "samples_for"])
def test_many_keys_take_no_more_queries_than_one(database: Database, lookup: str) -> None:
    job = make_job("a")
    run_job(database, Completed("a", (make_result(job),)), id="a")
    counts = []
    for keys in (list(job.memo.values()), [*job.memo.values(), *map(str, range(9_000))]):
        seen: list[str] = []

        def note(_c: Any, _cursor: Any, statement: str, *_rest: Any, seen: Any = seen) -> None:
            seen.append(statement)

        event.listen(database.engine, "before_cursor_execute", note)
        getattr(database.memo, lookup)(keys)
        event.remove(database.engine, "before_cursor_execute", note)
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_more_keys_than_one_statement_takes_are_looked_up_all(database: Database) -> None:
    job = make_job("a")
    run_job(database, Completed("a", (make_result(job),)), id="a")
    keys = [*map(str, range(70_000)), job.memo[Facet.THROUGHPUT]]
    assert database.memo.known(keys).measured == {job.memo[Facet.THROUGHPUT]}
