"""The Ray pool: one actor per rig, bound to its cards by a resource of their own.

Ray's own GPU counting cannot bind a particular card, so actors take `gpu:<uuid>` resources,
`num_gpus=0`, and the engine alone sees CUDA_VISIBLE_DEVICES. A cluster that its user started has
no such resources: there an actor is bound to its rig's node, and that one engine at a time uses a
card is up to the driver's leases and the worker's claim. A benchmark is never silently re-run:
tasks have no retries; the driver decides.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.sweeping.pools.base import Finished, host_lost, lost, occupied, sharing
from orchestrator.sweeping.pools.pulse import GROUP, SILENT_S, Pulse
from orchestrator.sweeping.pools.ray_nodes import Nodes
from orchestrator.sweeping.pools.ray_start import join, start_ray
from orchestrator.sweeping.pools.ray_words import said
from workers.contract.errors import OrchestrateError
from workers.contract.job import Job
from workers.contract.reports import HostReport, RigReport
from workers.rig_worker import DYING_S
from workers.survey import SurveyRequest, survey

SHARE = 0.01  # binds an actor to its cards' host; that one engine at a time runs is the driver's
START_S = 120.0  # Ray starts a first worker, and that imports all of ours


class RayPool:
    """Actors on a local Ray that this pool starts and stops, or on the cluster at `address`.

    Where this process has a Ray already, the pool joins it and leaves it running.
    """

    def __init__(self, address: str | None = None) -> None:
        self._address = address
        self._owns_ray = False
        self._nodes: Nodes | None = None
        self._actors: dict[str, Any] = {}
        self._rigs: dict[str, RigReport] = {}
        self._running: dict[Any, tuple[str, Job]] = {}
        self._claiming: dict[Any, tuple[str, Job, float]] = {}
        self._dead: set[str] = set()
        self._without_worker: list[Finished] = []
        self._pulse = Pulse()

    def survey(self, request: SurveyRequest) -> Sequence[HostReport]:
        """This host's report, or one of each host of the cluster."""
        return [survey(request)] if self._address is None else self._joined().survey(request)

    def _joined(self) -> Nodes:
        import ray

        if self._nodes is None:
            assert self._address is not None
            self._owns_ray = not ray.is_initialized()
            self._nodes = Nodes(join(self._address) if self._owns_ray else None)
        return self._nodes

    def start(self, rigs: Mapping[str, RigReport]) -> None:
        """Starts Ray where it has to, then one actor per rig."""
        import ray

        if self._address is not None:
            self._joined()
        else:
            self._start_here({place for rig in rigs.values() for place in occupied(rig)})
        self._rigs = dict(rigs)
        for name in rigs:
            self._actors[name] = self._actor(name)
        claims = {name: actor.claim.remote() for name, actor in self._actors.items()}
        for name, claim in claims.items():
            try:
                problem: str | None = ray.get(claim, timeout=START_S)
            except ray.exceptions.GetTimeoutError:
                problem = f"Rig {name} has no worker: none was started within {START_S:.0f} s."
            except ray.exceptions.RayError as error:
                problem = _no_worker(name, error)
            if problem:
                self.stop()
                raise OrchestrateError(problem)

    def _start_here(self, needed: set[str]) -> None:
        import ray

        if not ray.is_initialized():
            self._owns_ray = True
            start_ray(dict.fromkeys(needed, 1.0))
        missing = needed - ray.cluster_resources().keys()  # type: ignore[no-untyped-call]
        if missing:  # Ray would wait for them in silence
            raise OrchestrateError(
                f"The Ray of this process lacks {', '.join(sorted(missing))}.",
                "Start it with one such resource for each card, or let the sweep start its own.",
            )

    def _actor(self, name: str) -> Any:
        import ray

        from workers.rig_worker import RigWorker

        rig = self._rigs[name]
        if self._nodes is None:
            place = {"resources": dict.fromkeys(occupied(rig), SHARE)}
        else:
            place = {"scheduling_strategy": self._nodes.place(rig.host)}
        remote = ray.remote(concurrency_groups={GROUP: 1})(RigWorker)  # type: ignore[call-overload]
        options = remote.options(num_cpus=0, num_gpus=0, max_restarts=0, **place)
        return options.remote(rig, name in sharing(self._rigs))

    def submit(self, rig: str, job: Job) -> None:
        """Sends the job to the rig's actor; one that died is replaced first.

        A rig that gets no new worker loses the job: `wait` says so.
        """
        import ray

        if self._nodes is not None:
            host = self._rigs[rig].host
            job = self._nodes.readdressed(job, host)
            if rig in self._dead and self._nodes.is_gone(host):
                self._without_worker.append(Finished(rig, host_lost(job, host)))
                return
        if rig not in self._dead:
            self._running[self._actors[rig].run.remote(job)] = (rig, job)
            return
        ray.kill(self._actors[rig])
        self._actors[rig] = self._actor(rig)
        claim = self._actors[rig].claim.remote(DYING_S)
        self._claiming[claim] = (rig, job, time.monotonic() + START_S)

    def wait(self, timeout_s: float) -> list[Finished]:
        """Collects what has ended; a job whose actor died or broke is reported lost.

        Raises ClusterError when the head of the cluster is gone.
        """
        import ray

        finished, self._without_worker = self._without_worker, []
        if self._nodes is not None:
            self._nodes.look_at_head()
        self._give_up_late(finished)
        waited_for = [*self._running, *self._claiming]
        if not waited_for:
            return finished
        done, _ = ray.wait(waited_for, timeout=0.0 if finished else timeout_s)
        for reference in done:
            if reference in self._claiming:
                self._claimed(reference, finished)
            else:
                self._ended(reference, finished)
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

    def _ended(self, reference: Any, finished: list[Finished]) -> None:
        import ray

        rig, job = self._running.pop(reference)
        try:
            outcome = ray.get(reference)
        except ray.exceptions.RayError as error:
            outcome = lost(job, f"the worker was lost: {said(error)}")
            self._dead.add(rig)
        finished.append(Finished(rig, outcome))

    def _claimed(self, reference: Any, finished: list[Finished]) -> None:
        """A fresh actor has its rig, and gets the job; or it has not, and the job is lost."""
        import ray

        rig, job, _ = self._claiming.pop(reference)
        host = self._rigs[rig].host
        try:
            problem = ray.get(reference)
        except ray.exceptions.RayError as error:
            problem = _no_worker(rig, error)
            if self._nodes is not None and self._nodes.is_gone(host):
                finished.append(Finished(rig, host_lost(job, host)))
                return
        if problem is not None:
            finished.append(Finished(rig, lost(job, problem)))
            return
        self._dead.discard(rig)
        self._running[self._actors[rig].run.remote(job)] = (rig, job)

    def _give_up_late(self, finished: list[Finished]) -> None:
        """Ray waits for a place to start an actor without an end."""
        now = time.monotonic()
        late = [claim for claim, (_, _, deadline) in self._claiming.items() if now > deadline]
        for claim in late:
            rig, job, _ = self._claiming.pop(claim)
            why = f"Rig {rig} has no worker: none was started within {START_S:.0f} s"
            finished.append(Finished(rig, lost(job, why)))

    def stop(self) -> None:
        """Ends actors (their engines die with them) and the local Ray."""
        import ray

        if self._nodes is None or not self._nodes.head_is_gone:
            for actor in self._actors.values():
                ray.kill(actor)
        for kept in (self._actors, self._running, self._claiming, self._dead):
            kept.clear()
        self._without_worker.clear()
        if self._owns_ray:
            self._owns_ray, self._nodes = False, None
            ray.shutdown()


def _no_worker(rig: str, error: Exception) -> str:
    return f"Rig {rig} has no worker: {said(error)}."
