"""Database files that are made once and copied: making both schemas takes most of a second."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from optuna.storages import RDBStorage

from db.database import open_database
from orchestrator.sweeping.storage import open_storage


@pytest.fixture(scope="session", autouse=True)
def unchecked() -> Iterator[None]:
    """Optuna asks Alembic at every opening which version its own tables have: 40 ms each time."""
    init = RDBStorage.__init__

    def without_check(self: RDBStorage, *args: object, **how: object) -> None:
        init(self, *args, **{**how, "skip_compatibility_check": True})  # type: ignore[arg-type]

    with patch.object(RDBStorage, "__init__", without_check):
        yield


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with our tables and Optuna's, and nothing in them. Copy it, do not use it."""
    path = tmp_path_factory.mktemp("empty") / "orchestrate.db"
    with open_database(str(path)) as database:
        open_storage(database).engine.dispose()  # type: ignore[attr-defined]
    return path


@pytest.fixture
def database(empty_database: Path, tmp_path: Path) -> Path:
    """A database file of the test's own."""
    path = tmp_path / "orchestrate.db"
    shutil.copy(empty_database, path)
    return path
