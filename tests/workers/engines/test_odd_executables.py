"""Whatever a path turns out to be, probing it gives a report: no crash, no hang, no leftovers."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from search_spaces.candidate import Candidate
from tests.support.odd_executables import ODD, pid_file
from tests.workers.engines.rigs import CPU
from workers.contract.failure import FailureKind
from workers.engines.base import Assets, EngineError
from workers.engines.llama_server import LlamaServerEngine


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORCHESTRATE_CACHE", str(tmp_path / "cache"))


def engine(name: str, folder: Path) -> LlamaServerEngine:
    return LlamaServerEngine(name, str(ODD[name].make(folder)), probe_timeout_s=1.5)


@pytest.mark.parametrize("name", ODD)
def test_the_report_says_what_is_wrong(name: str, tmp_path: Path) -> None:
    report = engine(name, tmp_path).probe()
    assert report.problem is not None
    assert ODD[name].problem in report.problem
    assert report.capabilities is None


@pytest.mark.parametrize("name", ["hangs", "leaves_a_child"])
def test_no_process_is_left_behind(name: str, tmp_path: Path) -> None:
    engine(name, tmp_path).probe()
    pids = [int(pid) for pid in pid_file(tmp_path).read_text().split()]
    assert pids
    gone, alive = psutil.wait_procs([p for p in map(_process, pids) if p], timeout=10)
    assert not alive, gone


@pytest.mark.parametrize("name", ["not_executable", "not_llama", "directory_without_a_server"])
def test_launching_one_is_a_diagnosed_failure(name: str, tmp_path: Path) -> None:
    odd = engine(name, tmp_path)
    with (
        pytest.raises(EngineError) as raised,
        odd.launch(Candidate("m"), Assets(tmp_path / "m.gguf"), CPU, tmp_path / "log"),
    ):
        pass
    assert raised.value.diagnosis.kind is FailureKind.DRIVER_OR_INSTALL


def _process(pid: int) -> psutil.Process | None:
    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None
