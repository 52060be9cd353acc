"""What every pool promises. A module for each pool inherits these tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from orchestrator.sweeping.pools.base import Finished, Pool
from tests.support.hosts import make_rig
from tests.support.outcomes import make_job
from workers.contract.errors import OrchestrateError
from workers.contract.failure import FailureKind
from workers.contract.job import Job
from workers.contract.outcome import Completed, Failed

RIGS = {name: make_rig(name) for name in ("a", "b")}


def job_of(id: str, **tags: str) -> Job:
    """A job that tells a stand-in worker what to do."""
    return replace(make_job(id), tags=tags)


def collect(pool: Pool, number: int) -> list[Finished]:
    """The next jobs to end, so many of them."""
    finished: list[Finished] = []
    for _ in range(600):
        finished += pool.wait(0.1)
        if len(finished) >= number:
            return finished
    raise TimeoutError(f"{number} jobs did not end")


class PoolConformance:
    """`make` gives a new pool; `breaking` is the tag that makes a job lose its worker."""

    breaking = "raise"

    def make(self) -> Pool:
        """A pool that was not started."""
        raise NotImplementedError

    @pytest.fixture
    def pool(self) -> Iterator[Pool]:
        """A pool that is stopped whatever happens."""
        pool = self.make()
        yield pool
        pool.stop()

    @pytest.fixture
    def started(self, pool: Pool) -> Pool:
        """A pool with two rigs."""
        pool.start(RIGS)
        return pool

    def test_an_idle_pool_has_nothing_to_report(self, started: Pool) -> None:
        assert started.wait(0.0) == []

    def test_a_job_ends_once_on_its_rig(self, started: Pool, tmp_path: Path) -> None:
        diary = tmp_path / "diary"
        started.submit("b", job_of("job-1", diary=str(diary)))
        (finished,) = collect(started, 1)
        assert finished.rig == "b"
        assert isinstance(finished.outcome, Completed)
        assert finished.outcome.job_id == "job-1"
        assert started.wait(0.0) == []

    def test_a_rig_runs_one_job_after_another(self, started: Pool) -> None:
        for number in range(3):
            started.submit("a", job_of(f"job-{number}"))
            (finished,) = collect(started, 1)
            assert finished.outcome.job_id == f"job-{number}"

    def test_several_rigs_report_each_its_own(self, started: Pool) -> None:
        started.submit("a", job_of("job-a"))
        started.submit("b", job_of("job-b"))
        assert {f.rig: f.outcome.job_id for f in collect(started, 2)} == {
            "a": "job-a",
            "b": "job-b",
        }

    def test_a_lost_worker_is_an_outcome_of_the_machinery(self, started: Pool) -> None:
        started.submit("a", job_of("job-1", do=self.breaking))
        (finished,) = collect(started, 1)
        assert isinstance(finished.outcome, Failed)
        assert (finished.rig, finished.outcome.job_id) == ("a", "job-1")
        diagnosis = finished.outcome.diagnosis
        assert diagnosis.kind is FailureKind.WORKER_LOST
        assert diagnosis.kind.is_infrastructure
        assert not diagnosis.deterministic
        assert "\n" not in diagnosis.evidence

    def test_a_rig_whose_worker_was_lost_works_on(self, started: Pool) -> None:
        started.submit("b", job_of("job-b"))
        started.submit("a", job_of("job-1", do=self.breaking))
        collect(started, 2)
        started.submit("a", job_of("job-2"))
        (finished,) = collect(started, 1)
        assert isinstance(finished.outcome, Completed)

    def test_rigs_that_share_a_card_take_turns(self, pool: Pool) -> None:
        pair = replace(make_rig("pair"), cards=(*RIGS["a"].cards, *RIGS["b"].cards))
        pool.start({"a": RIGS["a"], "pair": pair})
        for number, rig in enumerate(("a", "pair", "a")):
            pool.submit(rig, job_of(f"job-{number}"))
            (finished,) = collect(pool, 1)
            assert (finished.rig, type(finished.outcome)) == (rig, Completed)

    def test_it_may_be_stopped_twice_and_before_it_was_started(self, pool: Pool) -> None:
        pool.stop()
        pool.start(RIGS)
        pool.submit("a", job_of("job-1"))
        pool.stop()
        pool.stop()


class WorkerPoolConformance(PoolConformance):
    """What pools of real workers promise beside."""

    def test_rigs_work_at_the_same_time(self, started: Pool, tmp_path: Path) -> None:
        for rig in RIGS:
            started.submit(rig, job_of(rig, do="meet", place=str(tmp_path), number="2"))
        outcomes = [finished.outcome for finished in collect(started, 2)]
        assert all(isinstance(outcome, Completed) for outcome in outcomes)

    def test_waiting_has_an_end(self, started: Pool) -> None:
        started.submit("a", job_of("job-1", do="wait"))
        assert started.wait(0.01) == []

    def test_a_stop_does_not_wait_for_the_job(self, started: Pool) -> None:
        """The stand-in would wait for half a minute, and the test for this long."""
        started.submit("a", job_of("job-1", do="wait"))
        started.stop()

    def test_a_taken_rig_is_a_sentence_and_nothing_stays_behind(self, pool: Pool) -> None:
        with pytest.raises(OrchestrateError, match="in use by another sweep"):
            pool.start({"a": RIGS["a"], "taken": make_rig("taken")})
        pool.start(RIGS)
        pool.submit("a", job_of("job-1"))
        assert len(collect(pool, 1)) == 1

    def test_a_job_is_never_run_again_behind_the_drivers_back(
        self, started: Pool, tmp_path: Path
    ) -> None:
        diary = tmp_path / "diary"
        started.submit("a", job_of("job-1", do=self.breaking, diary=str(diary)))
        collect(started, 1)
        assert diary.read_text() == "a job-1\n"
