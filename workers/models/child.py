"""Children that hold libllama: it may abort, and it must never outlive who asked.

A child reads one JSON request on stdin and writes JSON lines on stdout; its stderr is the log.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from workers.engines.announce import announce

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_ROOT = Path(__file__).resolve().parents[2]
_TAIL = 40_000  # characters of a log that travel with an error

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChildEnd:
    """How a child ended: its exit code (negative: the signal), whether it hung, its last words."""

    returncode: int
    hung: bool
    log_tail: str

    @property
    def words(self) -> str:
        """The end as one phrase."""
        if self.hung:
            return "no sign of life until it was stopped"
        if self.returncode < 0:
            with contextlib.suppress(ValueError):
                return f"killed by {signal.Signals(-self.returncode).name}"
        return f"exit code {self.returncode}"


def run_child(
    module: str,
    request: Mapping[str, Any],
    log: Path,
    on_message: Callable[[Message], None],
    *,
    environment: Mapping[str, str] | None = None,
    silence_s: float = 1800.0,
) -> ChildEnd:
    """Runs `python -m module`, hands every message on, and returns when the child is gone.

    `environment` is laid over a scrubbed copy of ours. A child that says nothing for
    `silence_s` seconds is killed. Whatever is raised meanwhile (Ctrl-C too) kills it first.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**scrubbed_environment(), **(environment or {})},
        )
    hung = False
    try:
        assert process.stdin is not None and process.stdout is not None
        announce(process.pid)
        with contextlib.suppress(BrokenPipeError), process.stdin as stdin:
            stdin.write(json.dumps({**request, "parent": os.getpid()}).encode())
        try:
            for line in _lines(process.stdout, silence_s):
                message = _parse(line)
                if message is not None:
                    on_message(message)
        except TimeoutError:
            hung = True
            process.kill()
        returncode = process.wait()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()
    return ChildEnd(returncode, hung, tail_of(log))


def scrubbed_environment() -> dict[str, str]:
    """Ours without what would change a measurement unseen, able to import this project."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LLAMA_", "GGML_", "OMP_", "GOMP_")) and name != "PYTHONPATH"
    }
    paths = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
    return {**kept, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def _lines(stream: IO[bytes], silence_s: float) -> Iterator[bytes]:
    """Lines as they come; raises TimeoutError after `silence_s` seconds without one."""
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def read() -> None:
        with contextlib.suppress(ValueError, OSError):  # closed under us after a kill
            for line in stream:
                lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=silence_s)
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            return
        yield line


def _parse(line: bytes) -> Message | None:
    """A message; None for anything a library may have printed between them."""
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


def tail_of(log: Path) -> str:
    """The end of a log file, as text."""
    with log.open("rb") as stream:
        stream.seek(0, os.SEEK_END)
        stream.seek(max(0, stream.tell() - _TAIL))
        return stream.read().decode("utf-8", "replace")


def serve(answer: Callable[[Message, Callable[[Message], None]], None]) -> None:
    """The child's side: dies with its parent, reads the request, gives `answer` a way to speak.

    File descriptor 1 becomes stderr before any library is loaded, so that nothing a library
    prints can mix with the messages.
    """
    parent = os.getppid()
    die_with_parent(parent)
    messages = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle; it kills us

    def say(message: Message) -> None:
        messages.write(json.dumps(message) + "\n")
        messages.flush()

    request = json.loads(sys.stdin.buffer.read())
    if request.pop("parent") != parent:
        sys.exit("the parent died before the child had started")
    answer(request, say)


def die_with_parent(parent: int) -> None:
    """Asks Linux to kill this process when its parent dies, and ends it if that has happened.

    Elsewhere there is no such call: a child is then ended by its parent only.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:
        sys.exit("the parent died before the child had started")
