"""A process of ours ends when it is told to, and when whoever started it dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.workers.engines import fakes
from workers.engines.process import EngineProcess

ENVIRONMENT = {"PATH": os.environ["PATH"]}
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's death signal is Linux's")


def wait_until(true: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Looks again and again; returns whether it came true in time."""
    gate = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if true():
            return True
        gate.wait(0.02)
    return False


def started(command: list[str], log: Path, word: str) -> EngineProcess:
    """A process that has printed a word."""
    process = EngineProcess(command, ENVIRONMENT, log)
    assert wait_until(lambda: word in log.read_text())
    return process


def test_it_is_the_program_itself_not_a_wrapper(tmp_path: Path) -> None:
    process = started(fakes.program(fakes.HANG), tmp_path / "log", "loading")
    try:
        assert psutil.Process(process.pid).cmdline() == fakes.program(fakes.HANG)
    finally:
        process.stop()


def test_it_has_a_group_of_its_own(tmp_path: Path) -> None:
    process = started(fakes.program(fakes.HANG), tmp_path / "log", "loading")
    try:
        assert os.getpgid(process.pid) == process.pid != os.getpgrp()
    finally:
        process.stop()


def test_stopping_asks_first(tmp_path: Path) -> None:
    process = started(fakes.program(fakes.HANG), tmp_path / "log", "loading")
    process.stop()
    assert process.returncode() == -signal.SIGTERM


def test_stopping_twice_is_harmless(tmp_path: Path) -> None:
    process = started(fakes.program(fakes.HANG), tmp_path / "log", "loading")
    process.stop()
    process.stop()
    assert process.returncode() == -signal.SIGTERM


def test_one_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    process = started(fakes.program(fakes.STUBBORN), tmp_path / "log", "ready")
    process.stop(grace_s=0.2)
    assert process.returncode() == -signal.SIGKILL


def test_its_children_end_with_it(tmp_path: Path) -> None:
    body = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-S', '-c', {fakes.STUBBORN!r}])\n"
        "print('child', child.pid, flush=True)\ntime.sleep(600)\n"
    )
    log = tmp_path / "log"
    process = started(fakes.program(body), log, "ready")
    child = int(log.read_text().split("child ")[1].split()[0])
    process.stop(grace_s=0.2)
    assert wait_until(lambda: not _runs(child))


def test_a_command_that_cannot_run_says_so_in_its_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    try:
        process = EngineProcess([str(tmp_path / "nothing")], ENVIRONMENT, log)
    except OSError:
        return  # without the wrapper the system says it at once
    assert wait_until(lambda: process.returncode() is not None)
    assert "cannot execute" in log.read_text()
    process.stop()


@LINUX
def test_it_outlives_the_thread_that_started_it(tmp_path: Path) -> None:
    """The death signal is sent at the end of a thread, not of a process."""
    found: list[EngineProcess] = []
    log = tmp_path / "log"
    thread = threading.Thread(
        target=lambda: found.append(started(fakes.program(fakes.HANG), log, "loading"))
    )
    thread.start()
    thread.join()
    # Python lets go of a thread a little before the system ends it, which sends the signal.
    assert wait_until(lambda: not Path(f"/proc/self/task/{thread.native_id}").exists())
    try:
        assert not wait_until(lambda: found[0].returncode() is not None, seconds=0.5)
    finally:
        found[0].stop()


@LINUX
def test_it_dies_with_a_worker_that_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    worker = subprocess.Popen([sys.executable, "-c", WORKER, str(log)], stdout=subprocess.PIPE)
    assert worker.stdout is not None
    pid = int(worker.stdout.readline())
    assert wait_until(lambda: "loading" in log.read_text())
    worker.kill()
    worker.wait()
    worker.stdout.close()
    assert wait_until(lambda: not _runs(pid))


@LINUX
def test_it_does_not_start_for_a_worker_that_is_already_dead() -> None:
    wrapper = Path(__file__).parents[3] / "workers" / "engines" / "die_with_parent.py"
    nobody = "1"  # the real parent is this test
    said = subprocess.run(
        [sys.executable, "-I", "-S", wrapper, nobody, "echo", "started"],
        capture_output=True,
        text=True,
    )
    assert said.returncode != 0
    assert "started\n" not in said.stdout
    assert "the worker died" in said.stderr


WORKER = f"""
import sys, time
from pathlib import Path
from tests.workers.engines import fakes
from workers.engines.process import EngineProcess
process = EngineProcess(fakes.program(fakes.HANG), {ENVIRONMENT!r}, Path(sys.argv[1]))
print(process.pid, flush=True)
time.sleep(600)
"""


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
