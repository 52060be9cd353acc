"""Waiting until a server answers, and how long is long enough."""

from __future__ import annotations

import http.client
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from workers.engines.ports import HOST

_PART = re.compile(r"-00001-of-(\d{5})\.gguf$")
_POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class LoadLimit:
    """How long a load may take: `base_s`, and as long as a slow disk takes for the files."""

    base_s: float = 60.0
    bytes_per_s: float = 50e6

    def seconds(self, files: Iterable[Path | None]) -> float:
        """The limit in seconds for these files, all parts of split ones included."""
        return self.base_s + weight_of(files) / self.bytes_per_s


def weight_of(files: Iterable[Path | None]) -> int:
    """The bytes of these files, all parts of split ones included; 0 for those that are missing."""
    return sum(_size(part) for file in files if file is not None for part in _parts(file))


def answers(port: int, timeout_s: float = 2.0) -> bool:
    """Whether GET /health says 200: a llama-server says 503 while it loads."""
    # http.client knows no proxies: a proxy variable must not send this elsewhere.
    connection = http.client.HTTPConnection(HOST, port, timeout=timeout_s)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def pause() -> None:
    """Between two looks; short beside the fastest load (0.3 s), long beside a look."""
    time.sleep(_POLL_S)


def _parts(path: Path) -> list[Path]:
    split = _PART.search(path.name)
    if split is None:
        return [path]
    stem, count = path.name[: split.start()], int(split[1])
    return [path.with_name(f"{stem}-{n:05d}-of-{count:05d}.gguf") for n in range(1, count + 1)]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # the engine will say what is wrong with it
