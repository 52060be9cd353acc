"""The in-process pool: one thread per rig. Engines are still processes of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_futures

from orchestrator.sweeping.pools.base import Finished, lost, sharing
from workers.contract.errors import OrchestrateError
from workers.contract.job import Job
from workers.contract.outcome import Outcome
from workers.contract.reports import HostReport, RigReport
from workers.rig_worker import RigWorker
from workers.survey import SurveyRequest, survey


class InlinePool:
    """Runs each rig's jobs in a thread that lives as long as the pool.

    The thread matters: the kernel kills an engine when the thread that started it ends.
    """

    def __init__(self) -> None:
        self._workers: dict[str, RigWorker] = {}
        self._threads: dict[str, ThreadPoolExecutor] = {}
        self._running: dict[Future[Outcome], tuple[str, Job]] = {}

    def survey(self, request: SurveyRequest) -> Sequence[HostReport]:
        """This host's report."""
        return [survey(request)]

    def start(self, rigs: Mapping[str, RigReport]) -> None:
        """Claims every rig, or none."""
        shared = sharing(rigs)
        for name, rig in rigs.items():
            worker = RigWorker(rig, name in shared)
            problem = worker.claim()
            if problem:
                self.stop()
                raise OrchestrateError(problem)
            self._workers[name] = worker
            self._threads[name] = ThreadPoolExecutor(1, thread_name_prefix=f"rig-{name}")

    def submit(self, rig: str, job: Job) -> None:
        """Starts a job on the rig's thread."""
        future = self._threads[rig].submit(self._workers[rig].run, job)
        self._running[future] = (rig, job)

    def wait(self, timeout_s: float) -> list[Finished]:
        """Collects what has ended; a worker that broke is an outcome, not an exception."""
        if not self._running:
            return []
        done, _ = wait_futures(self._running, timeout_s, return_when=FIRST_COMPLETED)
        finished = []
        for future in done:
            rig, job = self._running.pop(future)
            error = future.exception()
            outcome = (
                future.result() if error is None else lost(job, f"the worker broke: {error!r}")
            )
            finished.append(Finished(rig, outcome))
        return finished

    def stop(self) -> None:
        """Kills running engines, then lets the threads end."""
        for worker in self._workers.values():
            worker.interrupt()
        for thread in self._threads.values():
            thread.shutdown(wait=True, cancel_futures=True)
        for worker in self._workers.values():
            worker.release()
        self._workers.clear()
        self._threads.clear()
        self._running.clear()
