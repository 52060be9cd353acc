"""The mark is read again when somebody has written, and only then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from db import watch
from db.database import open_database
from tests.db.scenes import start_sweep


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was really read."""
    found: list[str] = []
    real = watch.read_mark

    def counted(session: Any) -> str:
        found.append(real(session))
        return found[-1]

    monkeypatch.setattr(watch, "read_mark", counted)
    return found


def test_a_quiet_database_is_read_once(tmp_path: Path, readings: list[str]) -> None:
    with open_database(str(tmp_path / "a.db")) as database:
        assert database.mark() == database.mark()
    assert len(readings) == 1


def test_what_another_connection_writes_is_seen(tmp_path: Path, readings: list[str]) -> None:
    path = str(tmp_path / "a.db")
    with open_database(path) as writer, open_database(path, read_only=True) as reader:
        before = reader.mark()
        start_sweep(writer)
        assert reader.mark() != before
    assert len(readings) == 2
