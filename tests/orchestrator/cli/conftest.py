"""The command, and databases to call it on. Those are only read: make one anew to change it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.orchestrator.cli import scenes
from tests.orchestrator.cli.calling import Caller
from tests.orchestrator.cli.scenes import Scene


@pytest.fixture
def orchestrate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Caller:
    """The command, in this process and without what its user has set."""
    monkeypatch.delenv("ORCHESTRATE_STORAGE", raising=False)
    return Caller(capsys)


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A sweep of six candidates, one of which ran out of memory."""
    return scenes.usual(tmp_path_factory.mktemp("swept") / "swept.db")


@pytest.fixture(scope="session")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A sweep on a rig that is not there."""
    return scenes.simulated(tmp_path_factory.mktemp("simulated") / "simulated.db")


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without a sweep."""
    from db.database import open_database

    path = tmp_path_factory.mktemp("empty") / "empty.db"
    open_database(str(path)).close()
    return path
