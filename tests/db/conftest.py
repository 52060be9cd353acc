"""Real databases: an SQLite file of the test's own, and a PostgreSQL schema."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from db.database import Database, open_database


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{tmp_path / 'orchestrate.db'}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """An open database of each kind."""
    with open_database(url) as opened:
        yield opened
