"""Running a short command that may be anything: bounded in time and in output."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workers.engines.log import clean
from workers.engines.process import start, stop

MAX_BYTES = 1 << 20
_POLL_S = 0.02


@dataclass(frozen=True, slots=True)
class Captured:
    """What a command said (stdout and stderr merged) and how it ended.

    `problem` is None where it ended by itself with a text of sane size; otherwise it says, for
    a person, what happened instead.
    """

    text: str
    rc: int | None
    problem: str | None = None


def capture(
    argv: Sequence[str],
    env: Mapping[str, str],
    timeout_s: float = 20.0,
    max_bytes: int = MAX_BYTES,
) -> Captured:
    """Runs a command to its end or to a limit. Never raises for what the command does."""
    # A file, not a pipe: a child of the command that keeps a pipe open cannot make us wait.
    with tempfile.NamedTemporaryFile(prefix="orchestrate-capture-") as output:
        try:
            process = start([*argv], env, output.file)
        except OSError as error:
            return Captured("", None, f"cannot be started: {error.strerror or error}")
        path = Path(output.name)
        try:
            problem = _watch(process, path, time.monotonic() + timeout_s, max_bytes)
        finally:
            stop(process, grace_s=0.5)
        with path.open("rb") as file:
            raw = file.read(max_bytes)
    text = clean(raw.decode("utf-8", errors="replace"))
    if problem == "late":
        problem = f"did not end within {timeout_s:g} s"
    return Captured(text, process.returncode, problem)


def _watch(
    process: subprocess.Popen[bytes], output: Path, deadline: float, max_bytes: int
) -> str | None:
    while process.poll() is None:
        if output.stat().st_size > max_bytes:
            return f"printed more than {max_bytes:,} bytes"
        if time.monotonic() > deadline:
            return "late"
        time.sleep(_POLL_S)
    return None
