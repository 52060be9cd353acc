"""The Ray pool: one actor per rig, bound to its cards by a resource of their own.

Ray's own GPU counting cannot bind a particular card, so actors take `gpu:<uuid>` resources,
`num_gpus=0`, and the engine alone sees CUDA_VISIBLE_DEVICES. A benchmark is never silently
re-run: tasks have no retries; the driver decides.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.sweeping.pools.base import Finished, lost, occupied, sharing
from orchestrator.sweeping.pools.pulse import GROUP, SILENT_S, Pulse
from workers.contract.errors import OrchestrateError
from workers.contract.job import Job
from workers.contract.reports import HostReport, RigReport
from workers.survey import SurveyRequest, survey

SHARE = 0.01  # binds an actor to its cards' host; that one engine at a time runs is the driver's
START_S = 120.0  # Ray starts a first worker, and that imports all of ours
CLAIM_S = 20.0  # a killed actor holds its claim until the kernel has ended its process


class RayPool:
    """Actors on a local Ray that this pool starts and stops.

    Where this process has a Ray already, the pool joins it and leaves it running.
    """

    def __init__(self) -> None:
        self._owns_ray = False
        self._actors: dict[str, Any] = {}
        self._rigs: dict[str, RigReport] = {}
        self._running: dict[Any, tuple[str, Job]] = {}
        self._dead: set[str] = set()
        self._without_worker: list[Finished] = []
        self._pulse = Pulse()

    def survey(self, request: SurveyRequest) -> Sequence[HostReport]:
        """The driver's host is the cluster's only one."""
        return [survey(request)]

    def start(self, rigs: Mapping[str, RigReport]) -> None:
        """Starts Ray with a resource per card, then one actor per rig."""
        import ray

        needed = {place for rig in rigs.values() for place in occupied(rig)}
        if not ray.is_initialized():
            self._owns_ray = True
            _start_ray(dict.fromkeys(needed, 1.0))
        missing = needed - ray.cluster_resources().keys()  # type: ignore[no-untyped-call]
        if missing:  # Ray would wait for them in silence
            raise OrchestrateError(
                f"The Ray of this process lacks {', '.join(sorted(missing))}.",
                "Start it with one such resource for each card, or let the sweep start its own.",
            )
        self._rigs = dict(rigs)
        for name in rigs:
            self._actors[name] = self._actor(name)
        problem = next((p for p in map(self._claim, rigs) if p), None)
        if problem:
            self.stop()
            raise OrchestrateError(problem)

    def _actor(self, name: str) -> Any:
        import ray

        from workers.rig_worker import RigWorker

        rig = self._rigs[name]
        remote = ray.remote(concurrency_groups={GROUP: 1})(RigWorker)  # type: ignore[call-overload]
        return remote.options(
            num_cpus=0,
            num_gpus=0,
            resources=dict.fromkeys(occupied(rig), SHARE),
            max_restarts=0,
        ).remote(rig, name in sharing(self._rigs))

    def _claim(self, name: str, within_s: float = START_S) -> str | None:
        """Has an actor take its rig; a sentence says why it could not."""
        import ray

        try:
            problem: str | None = ray.get(self._actors[name].claim.remote(), timeout=within_s)
        except ray.exceptions.GetTimeoutError:  # its host is gone: Ray would wait for another one
            return f"Rig {name} has no worker: none could be started within {within_s:.0f} s."
        except ray.exceptions.RayError as error:
            return f"Rig {name} has no worker: {_said(error)}."
        return problem

    def submit(self, rig: str, job: Job) -> None:
        """Sends the job to the rig's actor; one that died is replaced first.

        A rig that gets no new worker loses the job: `wait` says so.
        """
        problem = self._replace(rig) if rig in self._dead else None
        if problem is not None:
            self._without_worker.append(Finished(rig, lost(job, problem)))
            return
        self._running[self._actors[rig].run.remote(job)] = (rig, job)

    def wait(self, timeout_s: float) -> list[Finished]:
        """Collects what has ended; a job whose actor died or broke is reported lost."""
        import ray

        finished, self._without_worker = self._without_worker, []
        if not self._running:
            return finished
        done, _ = ray.wait(list(self._running), timeout=0.0 if finished else timeout_s)
        for reference in done:
            rig, job = self._running.pop(reference)
            try:
                outcome = ray.get(reference)
            except ray.exceptions.RayError as error:
                outcome = lost(job, f"the worker was lost: {_said(error)}")
                self._dead.add(rig)
            finished.append(Finished(rig, outcome))
        return finished + self._silent()

    def _silent(self) -> list[Finished]:
        """Jobs of workers that are there but do not run; `submit` replaces those."""
        busy = {rig: self._actors[rig] for rig, _ in self._running.values()}
        silent = self._pulse.silent(busy)
        lost_here = {ref: run for ref, run in self._running.items() if run[0] in silent}
        for reference, (rig, _) in lost_here.items():
            del self._running[reference]
            self._dead.add(rig)
        why = f"the worker was lost: it has not answered for {SILENT_S:.0f} s"
        return [Finished(rig, lost(job, why)) for rig, job in lost_here.values()]

    def _replace(self, rig: str) -> str | None:
        """A fresh actor, once the old one's process has let go of the rig; or why there is none."""
        import ray

        ray.kill(self._actors[rig])
        self._actors[rig] = self._actor(rig)
        deadline = time.monotonic() + CLAIM_S
        while problem := self._claim(rig, CLAIM_S):
            if time.monotonic() > deadline:
                return problem
            time.sleep(0.1)
        self._dead.discard(rig)
        return None

    def stop(self) -> None:
        """Ends actors (their engines die with them) and the local Ray."""
        import ray

        for actor in self._actors.values():
            ray.kill(actor)
        self._actors.clear()
        self._running.clear()
        self._dead.clear()
        self._without_worker.clear()
        if self._owns_ray:
            self._owns_ray = False
            ray.shutdown()


def _start_ray(resources: dict[str, float]) -> None:
    import ray

    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    # A notice that a local, private cluster is guarded by a token is noise to its user.
    logging.getLogger("ray._private.authentication").setLevel(logging.ERROR)
    ray.init(
        address="local",  # never a cluster that RAY_ADDRESS happens to name
        num_cpus=max(1, os.cpu_count() or 1),
        num_gpus=0,
        resources=resources,
        include_dashboard=False,
        log_to_driver=False,
        configure_logging=False,
        # Ray's workers are nice by default (15), and so would the engines they start be.
        _system_config={"worker_niceness": 0},
    )


def _said(error: Exception) -> str:
    """What a Ray error comes down to: the worker's own exception, or the first line."""
    cause = getattr(error, "cause", None)
    return repr(cause) if cause is not None else str(error).strip().splitlines()[0].rstrip(".")
