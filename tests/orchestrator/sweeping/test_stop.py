"""A sweep that is told to stop leaves nothing half done."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest
from optuna.trial import TrialState

from db.states import JobState, SweepState
from db.states import TrialState as Row
from tests.orchestrator.sweeping.invariants import assert_finished
from tests.orchestrator.sweeping.laboratory import Bench, Heard, StopAfter
from tests.orchestrator.sweeping.spaces import large_space, make_space
from tests.support.scripted_pool import ScriptedPool
from tests.support.surfaces import failing
from workers.contract.job import Job


@pytest.mark.parametrize("when", [{"trials": 1}, {"trials": 4}, {"jobs": 1}, {"jobs": 6}])
def test_a_stop_leaves_a_sweep_that_can_be_taken_up(database: Path, when: dict[str, int]) -> None:
    bench = Bench.make(database, large_space(trials=8))
    stopping = threading.Event()
    pool = ScriptedPool(bench.host)
    with pytest.raises(KeyboardInterrupt):
        bench.run(pool, StopAfter(stopping, **when), stopping)
    left = bench.left()
    assert left.sweep.state is SweepState.INTERRUPTED
    assert pool.stopped == 1
    assert JobState.RUNNING not in {job.state for job in left.jobs}
    waiting = {trial.number for trial in left.trials if trial.state is Row.WAITING}
    running = {t.number for t in left.studies["rtx"] if t.state is TrialState.RUNNING}
    assert waiting == running
    assert all(trial.told for trial in left.trials if trial.state is not Row.WAITING)
    bench.run(ScriptedPool(bench.host))
    assert len(assert_finished(bench).trials) == 8


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_a_stop_and_handlers_are_given_back(database: Path, number: int) -> None:
    class Signals(Heard):
        def job_started(self, rig: str, job: Job) -> None:
            super().job_started(rig, job)
            if len(self.jobs) == 2:
                signal.raise_signal(number)

    before = signal.getsignal(number)
    bench = Bench.make(database, make_space())
    with pytest.raises(KeyboardInterrupt):
        bench.run(ScriptedPool(bench.host), Signals())
    assert signal.getsignal(number) is before
    assert bench.left().sweep.state is SweepState.INTERRUPTED
    bench.run(ScriptedPool(bench.host))
    assert_finished(bench)


def test_a_job_that_has_ended_when_the_stop_comes_is_recorded(database: Path) -> None:
    bench = Bench.make(database, make_space())
    stopping = threading.Event()
    with pytest.raises(KeyboardInterrupt):
        bench.run(ScriptedPool(bench.host), StopAfter(stopping, jobs=1), stopping)
    assert len(bench.left().deliveries) == 1


def test_a_failure_that_comes_with_the_stop_is_no_failure_of_the_candidate(database: Path) -> None:
    """Ctrl-C reaches the engine too, which then seems to crash."""
    bench = Bench.make(database, make_space())
    stopping = threading.Event()
    broken = ScriptedPool(bench.host, failing(lambda c, r: True, text=True))
    with pytest.raises(KeyboardInterrupt):
        bench.run(broken, StopAfter(stopping, jobs=1), stopping)
    assert [job.state for job in bench.left().jobs] == [JobState.FAILED]  # as interrupted
    bench.run(ScriptedPool(bench.host))
    assert {trial.state for trial in assert_finished(bench).trials} == {Row.COMPLETE}
