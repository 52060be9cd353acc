"""The Ray pool keeps what every pool promises, and does so on processes that may die."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator.sweeping.pools import pulse
from orchestrator.sweeping.pools.base import Pool
from orchestrator.sweeping.pools.ray_pool import RayPool
from orchestrator.sweeping.pools.ray_start import start_ray
from tests.orchestrator.sweeping.pools.conformance import (
    WorkerPoolConformance,
    collect,
    job_of,
)
from tests.support.hosts import make_rig
from tests.support.stand_ins import StandIn
from workers.contract.errors import OrchestrateError
from workers.contract.failure import FailureKind
from workers.contract.outcome import Completed, Failed
from workers.contract.reports import RigKind

pytestmark = pytest.mark.ray
NAMES = ("a", "b", "pair", "taken")


@pytest.fixture(scope="module")
def one_ray() -> Iterator[None]:
    """A Ray that all pools here join: starting one takes longer than all of these tests."""
    ray = pytest.importorskip("ray")
    start_ray({f"gpu:GPU-{name}": 1.0 for name in NAMES})
    yield
    ray.shutdown()


def test_a_pool_starts_and_stops_a_ray_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    monkeypatch.setattr("workers.rig_worker.RigWorker", StandIn)
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")  # a cluster that nobody answers for
    pool = RayPool()
    try:
        pool.start({"cpu": make_rig("cpu", RigKind.CPU)})
        pool.submit("cpu", job_of("job-1"))
        assert isinstance(collect(pool, 1)[0].outcome, Completed)
    finally:
        pool.stop()
    assert not ray.is_initialized()


class TestRay(WorkerPoolConformance):
    """With a worker that measures nothing."""

    breaking = "die"

    @pytest.fixture(autouse=True)
    def stand_in(self, one_ray: None, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where the pool makes its actors."""
        monkeypatch.setattr("workers.rig_worker.RigWorker", StandIn)

    def make(self) -> Pool:
        """One actor for each rig."""
        return RayPool()

    def test_jobs_run_in_processes_of_their_own(self, started: Pool) -> None:
        started.submit("a", job_of("job-a"))
        started.submit("b", job_of("job-b"))
        outcomes = [finished.outcome for finished in collect(started, 2)]
        assert all(isinstance(outcome, Completed) for outcome in outcomes)
        assert len({outcome.trace.telemetry["pid"] for outcome in outcomes} | {os.getpid()}) == 3

    def test_a_broken_worker_says_what_broke(self, started: Pool) -> None:
        started.submit("a", job_of("job-1", do="raise"))
        (finished,) = collect(started, 1)
        assert isinstance(finished.outcome, Failed)
        assert "ValueError('the worker broke')" in finished.outcome.diagnosis.evidence
        started.submit("a", job_of("job-2"))
        (finished,) = collect(started, 1)
        assert isinstance(finished.outcome, Completed)
        assert finished.outcome.trace.telemetry["jobs"] == 1, "a fresh worker"

    def test_a_worker_that_was_stopped_is_replaced(
        self, started: Pool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pulse, "SILENT_S", 1.0)
        started.submit("a", job_of("job-1", do="stop"))
        (finished,) = collect(started, 1)
        assert isinstance(finished.outcome, Failed)
        assert finished.outcome.diagnosis.kind is FailureKind.WORKER_LOST
        assert "has not answered" in finished.outcome.diagnosis.evidence
        started.submit("a", job_of("job-2"))
        (finished,) = collect(started, 1)
        assert isinstance(finished.outcome, Completed)

    def test_a_long_job_is_not_silence(
        self, started: Pool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(pulse, "EVERY_S", 0.0)
        meeting = {"do": "meet", "place": str(tmp_path), "number": "2"}
        started.submit("a", job_of("job-1", **meeting))
        assert [started.wait(0.1) for _ in range(5)] == [[]] * 5
        started.submit("b", job_of("job-2", **meeting))
        outcomes = [finished.outcome for finished in collect(started, 2)]
        assert all(isinstance(outcome, Completed) for outcome in outcomes)

    def test_a_card_that_ray_does_not_know_is_a_sentence(self, pool: Pool) -> None:
        with pytest.raises(OrchestrateError, match="lacks gpu:GPU-unknown"):
            pool.start({"unknown": make_rig("unknown")})

    def test_a_ray_that_was_there_before_outlives_the_pool(self, started: Pool) -> None:
        import ray

        started.stop()
        assert ray.is_initialized()
