"""What is done to a sweep. Each fault strikes once and says whether there was anything to strike.

A new fault is a function here with a line in `FAULTS`.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

import psutil
from sqlalchemy import NullPool, create_engine, text

from tests.chaos.site import Site

Strike = Callable[[Site], bool]


@dataclass(frozen=True)
class Fault:
    """`needs` is what a site must have: postgres, a disk of its own, ray; or nothing.

    It strikes once `after` engines were launched. A job is tried twice: two blows on one job
    would rightly be a failure of its candidate, so those that hit a job wait longer.
    """

    name: str
    strike: Strike
    needs: str = ""
    weight: int = 1
    after: int = 1


def _signal_engine(site: Site, number: signal.Signals) -> bool:
    struck = False
    for pid, started in site.engines():
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(pid)
            if abs(process.create_time() - started) < 2.0:
                process.send_signal(number)
                struck = True
    return struck


def engine_killed(site: Site) -> bool:
    """As the system does when memory runs out."""
    return _signal_engine(site, signal.SIGKILL)


def engine_stopped(site: Site) -> bool:
    """It hangs: its request's deadline is what finds out."""
    return _signal_engine(site, signal.SIGSTOP)


def _signal_driver(site: Site, number: signal.Signals) -> bool:
    process = site.process
    if process is None or process.pid is None or not process.is_alive():
        return False
    os.kill(process.pid, number)
    process.join(60)
    return True


def driver_killed(site: Site) -> bool:
    """A power cut, for this one process."""
    return _signal_driver(site, signal.SIGKILL)


def driver_terminated(site: Site) -> bool:
    """What a batch system does at the end of its time."""
    return _signal_driver(site, signal.SIGTERM)


def postgres_killed(site: Site) -> bool:
    """SIGKILL, then started again: it recovers from its log."""
    assert site.server is not None
    site.server.stop(signal.SIGKILL)
    site.server.restart()
    return True


def postgres_restarted(site: Site) -> bool:
    """As an upgrade does."""
    assert site.server is not None
    site.server.stop()
    site.server.restart()
    return True


def connections_dropped(site: Site) -> bool:
    """As a proxy or a network does."""
    assert site.server is not None
    engine = create_engine(site.server.url, poolclass=NullPool)
    with engine.connect() as connection:
        others = "pid <> pg_backend_pid() AND datname = current_database()"
        ended = connection.execute(
            text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
        )
        return bool(ended.all())


def disk_full(site: Site) -> bool:
    """Until the command has ended, or has gone on for a while without noticing."""
    filler = site.disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        for size in (65_536, 512, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * size)
    site.until(lambda: False, within_s=8.0)
    filler.unlink()
    return True


def actor_killed(site: Site) -> bool:
    """The process that watches the engine dies."""
    return _signal_named(site, "ray::RigWorker", signal.SIGKILL)


def actor_stopped(site: Site) -> bool:
    """It is there and does nothing: its pulse is what finds out."""
    return _signal_named(site, "ray::RigWorker", signal.SIGSTOP)


def raylet_killed(site: Site) -> bool:
    """A node of the cluster is lost: here, the only one."""
    return _signal_named(site, "raylet/raylet", signal.SIGKILL)


def head_killed(site: Site) -> bool:
    """The process that knows who is in the cluster."""
    return _signal_named(site, "gcs/gcs_server", signal.SIGKILL)


def _signal_named(site: Site, name: str, number: signal.Signals) -> bool:
    assert site.process is not None and site.process.pid is not None
    with contextlib.suppress(psutil.Error):
        for child in psutil.Process(site.process.pid).children(recursive=True):
            if any(name in word for word in child.cmdline()[:1]):
                child.send_signal(number)
                return True
    return False


FAULTS = (
    Fault("SIGKILL of the engine", engine_killed, weight=3, after=3),
    Fault("SIGSTOP of the engine", engine_stopped, after=3),
    Fault("SIGKILL of the driver", driver_killed, weight=3),
    Fault("SIGTERM of the driver", driver_terminated),
    Fault("SIGKILL of PostgreSQL", postgres_killed, "postgres", weight=3),
    Fault("restart of PostgreSQL", postgres_restarted, "postgres", weight=2),
    Fault("dropped connections", connections_dropped, "postgres", weight=4),
    Fault("full disk", disk_full, "disk", weight=2),
    Fault("SIGKILL of an actor", actor_killed, "ray", weight=6, after=3),
    Fault("SIGSTOP of an actor", actor_stopped, "ray", weight=6, after=3),
    Fault("SIGKILL of the raylet", raylet_killed, "ray", weight=4),
    Fault("SIGKILL of Ray's head", head_killed, "ray", weight=3),
)
