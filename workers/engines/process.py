"""One engine process: started without a shell, logged to a file, gone when its worker is."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

import psutil

from workers.engines.announce import announce, start_time

_WRAPPER = Path(__file__).with_name("die_with_parent.py")


class EngineProcess:
    """A running command in a process group of its own, with stdout and stderr in `log_path`.

    Raises OSError where the command cannot be started at all.
    """

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], log_path: Path) -> None:
        log_path.parent.mkdir(parents=True, exist_ok=True)
        with log_path.open("wb") as log:
            self._popen = start([*argv], env, log)
        self.pid = self._popen.pid
        self.started = start_time(self.pid)
        try:
            announce(self.pid)
        except BaseException:
            self.stop(grace_s=1.0)
            raise

    def returncode(self) -> int | None:
        """The exit status (negative: a signal), or None while it runs."""
        return self._popen.poll()

    def stop(self, grace_s: float = 10.0) -> None:
        """Asks it to end, waits, then kills the whole group. Safe to call again."""
        stop(self._popen, grace_s)


def start(argv: list[str], env: Mapping[str, str], output: IO[bytes]) -> subprocess.Popen[bytes]:
    """Starts a command that dies with this process, merged output to a file."""
    command = [*dying_with_parent(), *argv]
    # The kernel sends the death signal when the *thread* that started the child ends, so the
    # start is made by a thread that lives as long as this process.
    return (
        _starter(os.getpid())
        .submit(
            subprocess.Popen,
            command,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        .result()
    )


def stop(process: subprocess.Popen[bytes], grace_s: float) -> None:
    """SIGTERM to the group, wait, SIGKILL to the group, reap."""
    if process.poll() is None:
        _signal_group(process, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(grace_s)
    # Also when the leader is gone: a child of it may have stayed.
    _signal_group(process, getattr(signal, "SIGKILL", signal.SIGTERM))
    process.wait()


def _signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    if os.name == "posix":
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):
            # Nobody is left. macOS answers "not permitted" for a group of zombies.
            return
    else:
        try:
            leader = psutil.Process(process.pid)
            for member in [*leader.children(recursive=True), leader]:
                member.kill()
        except psutil.NoSuchProcess:
            return


def dying_with_parent() -> list[str]:
    """What to put before a command so that it dies with this process; nothing off Linux."""
    if sys.platform != "linux":
        return []
    return [sys.executable, "-I", "-S", str(_WRAPPER), str(os.getpid())]


@functools.cache
def _starter(pid: int) -> ThreadPoolExecutor:
    """The thread that starts engines; one per process id, since threads do not survive fork."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"engine-starter-{pid}")
