"""The processes of one engine: it, and whatever it started."""

from __future__ import annotations

import time

import psutil

_FRESH_S = 2.0  # looking through all processes of a host costs milliseconds of a core


class ProcessTree:
    """A process and its children, looked up again every two seconds."""

    def __init__(self, pid: int) -> None:
        self._root = pid
        self._pids: frozenset[int] = frozenset({pid})
        self._looked_at = float("-inf")

    def pids(self) -> frozenset[int]:
        """The process ids; the last known ones once the root has ended."""
        now = time.monotonic()
        if now - self._looked_at >= _FRESH_S:
            self._looked_at = now
            try:
                children = psutil.Process(self._root).children(recursive=True)
            except psutil.Error:
                return self._pids
            self._pids = frozenset({self._root, *(child.pid for child in children)})
        return self._pids
