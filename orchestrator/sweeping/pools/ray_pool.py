"""The Ray pool: one actor per rig, bound to its cards by a resource of their own.

Ray's own GPU counting cannot bind a particular card, so actors take `gpu:<uuid>` resources,
`num_gpus=0`, and the engine alone sees CUDA_VISIBLE_DEVICES. A benchmark is never silently
re-run: tasks have no retries; the driver decides.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.sweeping.pools.base import Finished, lost
from workers.contract.errors import OrchestrateError
from workers.contract.job import Job
from workers.contract.reports import HostReport, RigReport
from workers.survey import SurveyRequest, survey

CPU_RIG = "rig:cpu"


class RayPool:
    """Actors on a local Ray that this pool starts and stops."""

    def __init__(self) -> None:
        self._actors: dict[str, Any] = {}
        self._rigs: dict[str, RigReport] = {}
        self._running: dict[Any, tuple[str, Job]] = {}

    def survey(self, request: SurveyRequest) -> Sequence[HostReport]:
        """The driver's host is the cluster's only one."""
        return [survey(request)]

    def start(self, rigs: Mapping[str, RigReport]) -> None:
        """Starts Ray with a resource per card, then one actor per rig."""
        import ray

        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        # A notice that a local, private cluster is guarded by a token is noise to its user.
        logging.getLogger("ray._private.authentication").setLevel(logging.ERROR)
        resources = {name: 1.0 for rig in rigs.values() for name in resources_of(rig)}
        ray.init(
            num_cpus=max(1, os.cpu_count() or 1),
            num_gpus=0,
            resources=resources,
            include_dashboard=False,
            log_to_driver=False,
            configure_logging=False,
        )
        self._rigs = dict(rigs)
        for name in rigs:
            self._actors[name] = self._actor(name)
        for actor in list(self._actors.values()):
            problem = ray.get(actor.claim.remote())
            if problem:
                self.stop()
                raise OrchestrateError(problem)

    def _actor(self, name: str) -> Any:
        import ray

        from workers.rig_worker import RigWorker

        rig = self._rigs[name]
        remote = ray.remote(RigWorker)
        return remote.options(
            num_cpus=0, num_gpus=0, resources=dict.fromkeys(resources_of(rig), 1), max_restarts=0
        ).remote(rig)

    def submit(self, rig: str, job: Job) -> None:
        """Sends the job to the rig's actor."""
        self._running[self._actors[rig].run.remote(job)] = (rig, job)

    def wait(self, timeout_s: float) -> list[Finished]:
        """Collects what has ended; an actor that died is replaced and its job reported lost."""
        import ray

        if not self._running:
            return []
        done, _ = ray.wait(list(self._running), timeout=timeout_s)
        finished = []
        for reference in done:
            rig, job = self._running.pop(reference)
            try:
                outcome = ray.get(reference)
            except ray.exceptions.RayError as error:
                outcome = lost(job, f"the actor was lost: {str(error).strip().splitlines()[0]}")
                self._replace(rig)
            finished.append(Finished(rig, outcome))
        return finished

    def _replace(self, rig: str) -> None:
        import ray

        ray.kill(self._actors[rig])
        self._actors[rig] = self._actor(rig)
        problem = ray.get(self._actors[rig].claim.remote())
        if problem:
            raise OrchestrateError(problem)

    def stop(self) -> None:
        """Ends actors (their engines die with them) and the local Ray."""
        import ray

        for actor in self._actors.values():
            ray.kill(actor)
        self._actors.clear()
        self._running.clear()
        if ray.is_initialized():
            ray.shutdown()


def resources_of(rig: RigReport) -> list[str]:
    """The Ray resources that a rig occupies: its cards, or the host's cores."""
    return [f"gpu:{card.uuid}" for card in rig.cards] or [CPU_RIG]
