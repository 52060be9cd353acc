"""A rig that fails again and again is left out; the rest of the fleet goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from db.database import open_database
from db.states import JobState, SweepState
from db.states import TrialState as Row
from orchestrator.sweeping.quarantine import IN_A_ROW, Watch
from search_spaces.candidate import Candidate
from tests.orchestrator.sweeping.invariants import (
    assert_finished,
    assert_nothing_was_measured_twice,
)
from tests.orchestrator.sweeping.laboratory import Bench, Heard
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig
from tests.support.outcomes import make_completed, make_failed, make_job
from tests.support.scripted_pool import ScriptedPool
from tests.support.surfaces import failing
from workers.contract.failure import Diagnosis, FailureKind
from workers.contract.reports import RigReport

LOST = Diagnosis(FailureKind.WORKER_LOST, "the card fell off the bus.", "Restart.", False)
HELD = Diagnosis(FailureKind.RIG_OCCUPIED, "b still holds 900 MiB", "End what holds it.", False)
NO_DRIVER = Diagnosis(FailureKind.DRIVER_OR_INSTALL, "no CUDA driver", "Install it.", True)

JOB = make_job()
INFRASTRUCTURE = [kind for kind in FailureKind if kind.is_infrastructure]


def on_b(candidate: Candidate, rig: RigReport) -> bool:
    """Everything that rig b is asked to do."""
    return rig.name == "b"


def bench_of(database: Path) -> Bench:
    """Two different rigs."""
    rigs = [make_rig("a"), make_rig("b", card="NVIDIA GeForce RTX 3090")]
    return Bench.make(database, make_space(), rigs)


def run(bench: Bench, why: Diagnosis) -> tuple[ScriptedPool, Heard]:
    """One run in which rig b measures no speed."""
    pool = ScriptedPool(bench.host, failing(on_b, why))
    return pool, bench.run(pool)


def left_out(database: Path) -> list[tuple[str, str]]:
    """Who is left out now, and why."""
    with open_database(str(database)) as opened:
        return [(row.rig, row.reason) for row in opened.quarantines.of(1)]


def test_three_in_a_row_and_no_more_work_goes_there(database: Path) -> None:
    bench = bench_of(database)
    pool, heard = run(bench, LOST)
    assert len([r for r in pool.runs if r.rig == "b" and "throughput" in r.facets]) == IN_A_ROW
    reason = (
        "Rig b is left out: it failed 3 times in a row, last because the card fell off the bus."
    )
    assert left_out(database) == [("b", reason)]
    assert f"{reason} The same command tries it again." in heard.notes


def test_the_other_rigs_finish_their_work(database: Path) -> None:
    bench = bench_of(database)
    run(bench, LOST)
    assert {trial.state for trial in bench.left().of("a")} == {Row.COMPLETE}
    assert len(bench.left().of("a")) == 6


def test_the_sweep_is_not_finished_and_its_jobs_have_ended(database: Path) -> None:
    bench = bench_of(database)
    run(bench, LOST)
    left = bench.left()
    assert left.sweep.state is SweepState.INTERRUPTED
    assert JobState.RUNNING not in {job.state for job in left.jobs}
    assert Row.WAITING in {trial.state for trial in left.of("b")}


@pytest.mark.parametrize("why", [LOST, HELD, NO_DRIVER], ids=lambda why: why.kind)
def test_the_same_command_tries_it_again_and_measures_nothing_twice(
    database: Path, why: Diagnosis
) -> None:
    bench = bench_of(database)
    run(bench, why)
    bench.run(ScriptedPool(bench.host))
    left = bench.left()
    assert left.sweep.state is SweepState.FINISHED
    assert left_out(database) == []
    assert_nothing_was_measured_twice(left)
    assert Row.WAITING not in {trial.state for trial in left.trials}


def test_memory_that_does_not_come_back_is_not_waited_for_again(database: Path) -> None:
    bench = bench_of(database)
    pool, _ = run(bench, HELD)
    assert len([r for r in pool.runs if r.rig == "b" and "throughput" in r.facets]) == 1
    assert left_out(database) == [("b", "Rig b is left out: b still holds 900 MiB.")]
    bench.run(ScriptedPool(bench.host))
    assert {trial.state for trial in assert_finished(bench).of("b")} == {Row.COMPLETE}


def test_a_fleet_that_is_left_out_as_a_whole_ends(database: Path) -> None:
    bench = bench_of(database)
    bench.run(ScriptedPool(bench.host, failing(lambda candidate, rig: True, LOST)))
    assert {rig for rig, _ in left_out(database)} == {"a", "b"}


# -- what counts, and what does not --------------------------------------------------------------


@pytest.mark.parametrize("kind", INFRASTRUCTURE)
def test_every_kind_of_machinery_counts(kind: FailureKind) -> None:
    watch = Watch("rig", frozenset({"one", "other"}))
    seen = [watch.saw("one", make_failed(JOB, kind, deterministic=False)) for _ in range(IN_A_ROW)]
    assert seen[-1]


@pytest.mark.parametrize("kind", sorted({*FailureKind} - {*INFRASTRUCTURE}))
def test_a_candidates_own_failures_never_do_while_an_engine_may_run(kind: FailureKind) -> None:
    watch = Watch("rig", frozenset({"one", "other"}))
    assert not any(watch.saw("one", make_failed(JOB, kind)) for _ in range(9))


def test_what_comes_between_breaks_the_row() -> None:
    watch = Watch("rig", frozenset({"one"}))
    lost, passed = make_failed(JOB, FailureKind.WORKER_LOST), make_completed(JOB)
    assert not any(watch.saw("one", o) for o in (lost, lost, passed, lost, lost))
    assert not watch.saw("one", make_failed(JOB, FailureKind.OUT_OF_MEMORY))
    assert not watch.saw("one", lost)


def test_a_driver_that_no_engine_can_use_counts() -> None:
    watch = Watch("rig", frozenset({"one", "other"}))
    failed = make_failed(JOB, FailureKind.DRIVER_OR_INSTALL)
    assert [watch.saw(e, failed) for e in ("one", "one", "one", "other")] == [False] * 3 + [True]
