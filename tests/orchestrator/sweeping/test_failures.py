"""Failures of candidates are results; failures of the machinery are tried once more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from optuna.trial import TrialState

from db.states import TrialState as Row
from orchestrator.sweeping.verdict import FAILED
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from tests.orchestrator.sweeping.invariants import assert_finished
from tests.orchestrator.sweeping.laboratory import Bench
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.scripted_pool import Fault, ScriptedPool, served_by
from tests.support.surfaces import CRASH, OUT_OF_MEMORY, Truth, failing, plain
from workers.contract.failure import FailureKind
from workers.contract.reports import RigReport


def test_a_failure_that_would_repeat_itself_is_tried_once_and_taught(database: Path) -> None:
    bench = Bench.make(database, make_space())
    pool = ScriptedPool(bench.host, failing(lambda c, rig: c.n_max == 4))
    heard = bench.run(pool)
    left = assert_finished(bench)
    failed = [trial for trial in left.trials if trial.state is Row.FAILED]
    assert [trial.candidate.n_max for trial in failed] == [4, 4]
    for trial in failed:
        told = left.study_trial(trial)
        assert told.state is TrialState.COMPLETE
        assert told.values == [0.0, 1e6]
        assert told.constraints[FAILED] == 1.0
        assert told.user_attrs["violations"] == {FAILED: 1.0}
        assert told.user_attrs["why"] == "cudaMalloc failed: out of memory"
    served = [
        run for run in pool.runs if run.candidate.n_max == 4 and Facet.THROUGHPUT in run.facets
    ]
    assert [run.attempt for run in served] == [1, 1]
    assert [e.failure.kind for e in heard.ended if e.failure] == [FailureKind.OUT_OF_MEMORY] * 2


def test_a_failure_of_something_else_than_was_asked_is_not_tried_again_either(
    database: Path,
) -> None:
    """The engine clamps, says so, and then fails."""
    bench = Bench.make(database, make_space())

    def clamped(candidate: Candidate, rig: RigReport) -> Truth:
        truth = plain(candidate, rig)
        if candidate.n_max != 4:
            return truth
        return replace(truth, effective={"n_max": 3}, failure=OUT_OF_MEMORY)

    pool = ScriptedPool(bench.host, clamped)
    bench.run(pool)
    left = assert_finished(bench)
    failed = [trial for trial in left.trials if trial.state is Row.FAILED]
    assert [trial.candidate.n_max for trial in failed] == [4, 4]
    assert len([run for run in served_by(pool) if run.candidate.n_max in (3, 4)]) == 2


def test_a_failure_that_may_pass_is_tried_again_and_then_taught(database: Path) -> None:
    bench = Bench.make(database, make_space())
    pool = ScriptedPool(bench.host, failing(lambda c, rig: c.n_max == 4, CRASH))
    bench.run(pool)
    left = assert_finished(bench)
    served = [
        run for run in pool.runs if run.candidate.n_max == 4 and Facet.THROUGHPUT in run.facets
    ]
    assert sorted(run.attempt for run in served) == [1, 1, 2, 2]
    failed = [trial for trial in left.trials if trial.state is Row.FAILED]
    assert {left.study_trial(trial).state for trial in failed} == {TrialState.COMPLETE}


def test_a_lost_worker_costs_a_second_attempt_and_nothing_else(database: Path) -> None:
    bench = Bench.make(database, make_space())
    pool = ScriptedPool(bench.host, faults=[Fault(lambda job, before: before == 0)])
    heard = bench.run(pool)
    left = assert_finished(bench)
    assert {trial.state for trial in left.trials} == {Row.COMPLETE}
    assert {run.attempt for run in pool.runs} == {1, 2}
    assert all("once more" in note for note in heard.notes)


def test_a_worker_lost_twice_is_forgotten_and_teaches_nothing(database: Path) -> None:
    def unlucky(candidate: Candidate) -> bool:
        return candidate.n_max == 4 and candidate.kv_k == "f16"

    bench = Bench.make(database, make_space())
    pool = ScriptedPool(
        bench.host, faults=[Fault(lambda job, before: unlucky(job.resolved.candidate))]
    )
    bench.run(pool)
    left = assert_finished(bench)
    (lost,) = [trial for trial in left.trials if trial.state is Row.FAILED]
    assert unlucky(lost.candidate)
    assert left.study_trial(lost).state is TrialState.FAIL
    served = [run for run in pool.runs if unlucky(run.candidate)]
    assert [run.attempt for run in served] == [1, 2]


def test_losses_of_one_trials_different_jobs_do_not_add_up(database: Path) -> None:
    """A perplexity and a throughput of one trial may each be lost once."""
    bench = Bench.make(database, make_space("spec: [none]"))
    pool = ScriptedPool(bench.host, faults=[Fault(lambda job, before: before == 0)])
    bench.run(pool)
    left = assert_finished(bench)
    assert [trial.state for trial in left.trials] == [Row.COMPLETE]
    assert len(pool.runs) == 4
