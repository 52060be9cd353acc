"""The dashboard over real and scripted sweeps. Databases of a session are only read."""

from __future__ import annotations

import lzma
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dashboards.library import Library
from db.database import open_database
from search_spaces.candidate import Candidate
from tests.orchestrator.cli import scenes
from tests.support.hosts import make_rig
from tests.support.surfaces import Truth, plain
from workers.contract.reports import RigReport

DEMO = Path(__file__).parents[1] / "data" / "demo_sweep.db.xz"


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a real `make sweep`: 24 candidates measured on a CPU."""
    path = tmp_path_factory.mktemp("demo") / "demo.db"
    with lzma.open(DEMO) as packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file)
    open_database(str(path)).close()  # brings it to this version's schema
    return path


@pytest.fixture(scope="session")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six candidates, one of which ran out of memory."""
    return scenes.usual(tmp_path_factory.mktemp("scripted") / "scripted.db").storage


@pytest.fixture(scope="session")
def two_rigs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six candidates on each of two rigs; everything is a fifth faster on the second."""

    def surface(candidate: Candidate, rig: RigReport) -> Truth:
        truth = plain(candidate, rig)
        return replace(truth, tok_s=truth.tok_s * (1.2 if rig.name == "fast" else 1.0))

    path = tmp_path_factory.mktemp("rigs") / "rigs.db"
    rigs = [make_rig("slow"), make_rig("fast", card="NVIDIA GeForce RTX 5090")]
    return scenes.sweep(path, surface=surface, rigs=rigs).storage


@pytest.fixture(scope="session")
def library(demo: Path) -> Iterator[Library]:
    """The real sweep, opened as the dashboard opens it."""
    opened = Library.open(str(demo), is_alive=lambda _driver: True)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def failing(scripted: Path) -> Iterator[Library]:
    """The scripted sweep, opened as the dashboard opens it."""
    opened = Library.open(str(scripted), is_alive=lambda _driver: True)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def both(two_rigs: Path) -> Iterator[Library]:
    """The sweep over two rigs, opened as the dashboard opens it."""
    opened = Library.open(str(two_rigs), is_alive=lambda _driver: True)
    yield opened
    opened.close()
