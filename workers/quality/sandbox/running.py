"""A program while it runs in a sandbox: what it prints, what it is told, how it ended."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workers.quality.sandbox.base import Command, Sandbox
from workers.quality.sandbox.watch import Watch

_CHUNK = 1 << 16


class Running:
    """One program. Output that nobody reads makes it wait: nothing piles up here."""

    def __init__(
        self, process: subprocess.Popen[bytes], read: int, write: int, watch: Watch, directory: str
    ) -> None:
        self.directory = directory
        self._process = process
        self._read = read
        self._write = write
        self._watch = watch

    def read(self, wait_s: float) -> bytes | None:
        """The next output, at most 64 KiB; empty where none came in time, None at its end."""
        if not select.select([self._read], [], [], max(wait_s, 0.0))[0]:
            return b""
        try:
            return os.read(self._read, _CHUNK) or None
        except OSError:  # a terminal whose program is gone
            return None

    def read_all(self, most: int) -> bytes:
        """Everything until it ends, cut at `most` bytes: whoever prints more is not waited for."""
        parts: list[bytes] = []
        while sum(map(len, parts)) < most and (part := self.read(1.0)) is not None:
            parts.append(part)
        return b"".join(parts)[:most]

    def write(self, data: bytes) -> None:
        """Types something. What a program does not take is lost, as on a real keyboard."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError, OSError):
            os.write(self._write, data)

    def ends_within(self, seconds: float) -> bool:
        """Whether it ends by itself, its output read meanwhile."""
        deadline = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < deadline:
            if self.read(0.05) is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(max(0.05, deadline - time.monotonic()))
        return self._process.poll() is not None

    @property
    def returncode(self) -> int | None:
        """The exit status; None while it runs."""
        return self._process.poll()

    @property
    def ended_by(self) -> str | None:
        """Which limit ended it; None where none did."""
        return self._watch.verdict


@contextmanager
def running(sandbox: Sandbox, command: Command) -> Iterator[Running]:
    """Runs a command confined until the block ends. Raises OSError where nothing can be started.

    The program dies with the thread that is in this block, also if that is killed.
    """
    with tempfile.TemporaryDirectory(prefix="orchestrate-program-") as top:
        folder = Path(top) / "given"
        folder.mkdir()
        Path(top).chmod(0o755)  # for the user that the program may run as; the rest is its own
        for name, text in command.files.items():
            (folder / name).write_text(text, encoding="utf-8", errors="replace")
        with contextlib.ExitStack() as open_ends:
            theirs, ours = _terminal(open_ends) if command.terminal else _pipes(open_ends)
            process = subprocess.Popen(
                sandbox.argv(command, folder),
                stdin=theirs[0],
                stdout=theirs[1],
                stderr=theirs[1] if command.terminal else subprocess.DEVNULL,
                start_new_session=True,
                env={},
                **sandbox.credentials,
            )
            for end in {*theirs}:
                os.close(end)
            watch = Watch(process, command.limits)
            try:
                yield Running(process, *ours, watch, sandbox.directory(folder))
            finally:
                watch.stop()


def _terminal(open_ends: contextlib.ExitStack) -> tuple[tuple[int, int], tuple[int, int]]:
    """The program's end and ours, each for reading and for writing."""
    ours, theirs = os.openpty()
    open_ends.callback(os.close, ours)
    os.set_blocking(ours, False)
    return (theirs, theirs), (ours, ours)


def _pipes(open_ends: contextlib.ExitStack) -> tuple[tuple[int, int], tuple[int, int]]:
    their_input, our_output = os.pipe()
    our_input, their_output = os.pipe()
    for end in (our_output, our_input):
        open_ends.callback(os.close, end)
    os.set_blocking(our_output, False)
    return (their_input, their_output), (our_input, our_output)
