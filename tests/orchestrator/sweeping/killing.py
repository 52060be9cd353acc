"""Ways to kill a driver: what SIGKILL leaves at any commit, and an exception at any step."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sqlalchemy import Connection, Engine, event

from orchestrator.sweeping.records import Records
from orchestrator.sweeping.search import Search
from tests.support.scripted_pool import ScriptedPool

_WRITES = ("INSERT", "UPDATE", "DELETE")


class Killed(BaseException):
    """The process is gone: nothing may catch this, and nothing more reaches the database."""


@contextmanager
def photographed(database: Path, album: Path) -> Iterator[list[Path]]:
    """Keeps a copy of a database as it was before each commit, and at the end.

    A killed process loses what it had not committed and nothing else, so these are all the
    states that killing it at any moment may leave behind.
    """
    pictures: list[Path] = []

    def take() -> None:
        pictures.append(album / f"{len(pictures):03d}.db")
        source, copy = sqlite3.connect(database), sqlite3.connect(pictures[-1])
        source.backup(copy)
        copy.close()
        source.close()

    with _before_each_commit(take):
        yield pictures
    take()


@contextmanager
def _before_each_commit(act: Callable[[], None]) -> Iterator[None]:
    """Calls `act` before each commit of anything written, ours and Optuna's."""

    def note(connection: Connection, cursor: object, statement: str, *rest: object) -> None:
        if statement.startswith(_WRITES):
            connection.info["written"] = True

    def commit(connection: Connection) -> None:
        if connection.info.pop("written", False):
            act()

    event.listen(Engine, "before_cursor_execute", note)
    event.listen(Engine, "commit", commit)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", note)
        event.remove(Engine, "commit", commit)


STEPS: tuple[tuple[type, str], ...] = (
    *((Records, name) for name in ("add", "learn", "job_started", "job_ended", "became")),
    *((Records, name) for name in ("completed", "failed", "replayed", "told")),
    *((Search, name) for name in ("ask", "ask_for", "tell", "forget")),
    *((ScriptedPool, name) for name in ("start", "submit", "wait")),
)


@contextmanager
def broken_at_step(nth: int | None, after: bool = False) -> Iterator[list[str]]:
    """Raises at the nth step (from 0) of the driver, before it or after it; lists the steps.

    Unlike a kill, this lets the driver clean up: it is what a bug, a full disk or a second
    Ctrl-C does.
    """
    seen: list[str] = []

    def breaking(method: Callable[..., Any], name: str) -> Callable[..., Any]:
        @wraps(method)
        def step(*args: Any, **kwargs: Any) -> Any:
            seen.append(name)
            mine = len(seen) - 1 == nth
            if mine and not after:
                raise Killed(name)
            result = method(*args, **kwargs)
            if mine:
                raise Killed(name)
            return result

        return step

    patches = [patch.object(owner, n, breaking(getattr(owner, n), n)) for owner, n in STEPS]
    for one in patches:
        one.start()
    try:
        yield seen
    finally:
        for one in patches:
            one.stop()
