"""Tells a worker of a process as soon as it runs, so that it can end it at any moment.

A launch comes back only once the model is loaded, and a text is scored in one go: meanwhile
nobody but the code that waits would know of the process, and a stopped sweep would wait with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import psutil

Started = Callable[[int, float], None]
"""Takes a process id and its start time (s since the epoch; 0 when it has ended already)."""

_listener: ContextVar[Started | None] = ContextVar("started", default=None)


@contextmanager
def announced_to(listener: Started) -> Iterator[None]:
    """Every engine process that this thread starts inside the block is told to `listener`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def announce(pid: int) -> None:
    """Called where a process has just been started; what the listener raises goes through."""
    listener = _listener.get()
    if listener is not None:
        listener(pid, start_time(pid))


def start_time(pid: int) -> float:
    """When a process started, s since the epoch; 0 when there is none (any more)."""
    try:
        return psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        return 0.0
