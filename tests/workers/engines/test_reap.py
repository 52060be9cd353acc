"""Reaping ends what was recorded, and nothing that merely has its number."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.engines import fakes
from tests.workers.engines.test_process import started
from workers.engines.process import EngineProcess
from workers.engines.reap import reap


@pytest.fixture
def left_behind(tmp_path: Path) -> Iterator[EngineProcess]:
    process = started(fakes.program(fakes.HANG), tmp_path / "log", "loading")
    yield process
    process.stop()


def test_a_recorded_engine_that_still_runs_is_ended(left_behind: EngineProcess) -> None:
    assert reap([(left_behind.pid, left_behind.started)]) == [left_behind.pid]
    assert left_behind.returncode() is not None


def test_a_stubborn_one_is_killed(tmp_path: Path) -> None:
    process = started(fakes.program(fakes.STUBBORN), tmp_path / "log", "ready")
    assert reap([(process.pid, process.started)], grace_s=0.2) == [process.pid]
    process.stop()


def test_another_process_with_the_same_id_is_spared(left_behind: EngineProcess) -> None:
    assert reap([(left_behind.pid, left_behind.started - 60)]) == []
    assert left_behind.returncode() is None


@pytest.mark.parametrize(
    "record", [(0, 1.0), (-1, 1.0), (1, 0.0), (os.getpid(), 0.0), (2**22 + 9, 5.0)]
)
def test_records_that_name_nobody(record: tuple[int, float]) -> None:
    assert reap([record]) == []


def test_no_records() -> None:
    assert reap([]) == []
