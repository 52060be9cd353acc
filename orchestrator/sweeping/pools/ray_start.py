"""Ray itself: one of this process' own, or a cluster that its user has started and names."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Mapping

from orchestrator.sweeping.pools.ray_words import said
from workers.contract.errors import OrchestrateError

AUTO = "auto"
PROBE_S = 3.0
LOOK_EVERY_S = 5.0
GONE_AFTER = 3  # looks in a row
TOKEN_HINT = "If it wants a token: export RAY_AUTH_MODE=token, and see docs/fleet.md."


class ClusterError(OrchestrateError):
    """The cluster cannot be joined, or is gone."""

    exit_code = 9


def start_ray(resources: Mapping[str, float]) -> None:
    """A Ray on this host alone, which nobody else knows."""
    import ray

    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    # A notice that a local, private cluster is guarded by a token is noise to its user.
    logging.getLogger("ray._private.authentication").setLevel(logging.ERROR)
    ray.init(
        address="local",  # never a cluster that RAY_ADDRESS happens to name
        num_cpus=max(1, os.cpu_count() or 1),
        num_gpus=0,
        resources=dict(resources),
        include_dashboard=False,
        log_to_driver=False,
        configure_logging=False,
        # Ray's workers are nice by default (15), and so would the engines they start be.
        _system_config={"worker_niceness": 0},
    )


def join(address: str) -> Head:
    """Joins the cluster at HOST:PORT, or the one that `auto` finds. Raises ClusterError.

    This host has to be one of its nodes, as every driver's of Ray has.
    """
    _be_quiet()
    import ray

    if "://" in address:
        raise ClusterError(
            f"{address} is no address of a cluster's head.", "Name HOST:PORT of ray start, or auto."
        )
    if address != AUTO:
        _probe(address)
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    except ConnectionError as error:
        if address == AUTO:
            raise ClusterError(
                "There is no cluster on this host.", "Start it with: ray start. See docs/fleet.md."
            ) from error
        raise ClusterError(f"The cluster {address} does not let this in.", TOKEN_HINT) from error
    except (ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise ClusterError(
            f"The cluster {address} cannot be joined: {said(error)}.",
            "Start Ray on this host too (ray start). See docs/fleet.md.",
        ) from error
    return Head(ray.get_runtime_context().gcs_address)


def _be_quiet() -> None:
    """What Ray would print while it is refused says nothing that our sentence does not.

    Has to come before Ray is imported.
    """
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "error")
    logging.getLogger("ray._private.authentication").setLevel(logging.ERROR)


class Head:
    """The cluster's head: `look` from time to time, since Ray ends a process that outlives it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.gone = False
        self._failed = 0
        self._next = 0.0

    def look(self) -> None:
        """Raises ClusterError once it has not answered several times in a row."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + LOOK_EVERY_S
        try:
            _probe(self.address)
            self._failed = 0
        except ClusterError:
            self._failed += 1
            if self._failed >= GONE_AFTER:
                self.gone = True
                raise ClusterError(
                    f"The head of the cluster, {self.address}, is gone; what was measured is kept.",
                    "Start Ray again on every host (ray start), then run the same command.",
                ) from None


def _probe(address: str) -> None:
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdigit():
        raise ClusterError(
            f"{address} is no HOST:PORT.", "Name what ray start --head printed, or auto."
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PROBE_S).close()
    except OSError as error:
        raise ClusterError(
            f"No head of a Ray cluster answers at {address} ({error.strerror or error}).",
            "Start it with: ray start --head. See docs/fleet.md.",
        ) from None
