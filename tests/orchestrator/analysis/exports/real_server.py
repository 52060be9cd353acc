"""A real llama-server for tests: started as an export says, and asked whether it drafts."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_PROMPT = "def fibonacci(n):\n    if n < 2:\n        return n\n    return"
_LOAD_S = 120


def environment(server: Path, home: Path) -> dict[str, str]:
    """Enough to run, and no settings of whoever runs the tests."""
    kept = {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": str(server.parent)}
    return kept | {"HOME": str(home), "XDG_CONFIG_HOME": str(home)}


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def running(
    words: Sequence[str], variables: Mapping[str, str], port: int, log: Path
) -> Iterator[str]:
    """The URL of a server that answers; the whole process group ends with the block."""
    with log.open("wb") as file:
        process = subprocess.Popen(
            words, env=dict(variables), stdout=file, stderr=file, start_new_session=True
        )
    try:
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + _LOAD_S
        while not _healthy(url):
            said = log.read_text(errors="replace")[-2000:]
            assert process.poll() is None, said
            assert time.monotonic() < deadline, said
            time.sleep(0.1)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=5) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def drafted(url: str, model: str | None = None) -> tuple[int, int]:
    """Tokens drafted, and accepted of them, for a short text."""
    body: dict[str, Any] = {"prompt": _PROMPT, "n_predict": 32, "temperature": 0}
    request = urllib.request.Request(
        f"{url}/completion",
        data=json.dumps(body | ({"model": model} if model else {})).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=_LOAD_S) as reply:
        timings = json.load(reply)["timings"]
    return timings.get("draft_n", 0), timings.get("draft_n_accepted", 0)
