"""Big weights are loaded by one engine of a host at a time; nothing waits for ever."""

from __future__ import annotations

from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from workers.engines.loading import one_at_a_time
from workers.models.cache import CACHE_VARIABLE

MIB = 2**20


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def weights(path: Path, mib: int) -> Path:
    with path.open("wb") as opened:
        opened.truncate(mib * MIB)
    return path


def the_turn(cache: Path, file: Path) -> FileLock:
    """The lock of the disk that holds the file, as another process would take it."""
    return FileLock(cache / "claims" / f"disk-{file.stat().st_dev}.lock", timeout=0)


def test_big_weights_take_their_disks_turn_and_give_it_back(tmp_path: Path, cache: Path) -> None:
    model = weights(tmp_path / "m.gguf", 30)
    with one_at_a_time((model, None), memory_mib=100, patience_s=0), pytest.raises(Timeout):
        the_turn(cache, model).acquire()
    with the_turn(cache, model):
        pass


def test_a_model_and_its_drafter_on_one_disk_take_one_turn(tmp_path: Path) -> None:
    files = weights(tmp_path / "m.gguf", 20), weights(tmp_path / "d.gguf", 10)
    with one_at_a_time(files, memory_mib=100, patience_s=0):
        pass


def test_small_weights_do_not_wait(tmp_path: Path, cache: Path) -> None:
    model = weights(tmp_path / "m.gguf", 20)
    with one_at_a_time((model,), memory_mib=100, patience_s=0):
        assert not (cache / "claims").exists()


def test_who_waited_long_enough_loads_all_the_same(tmp_path: Path, cache: Path) -> None:
    model = weights(tmp_path / "m.gguf", 30)
    (cache / "claims").mkdir(parents=True)
    began = False
    with the_turn(cache, model), one_at_a_time((model,), memory_mib=100, patience_s=0):
        began = True
    assert began


def test_missing_files_are_the_engines_to_report(tmp_path: Path) -> None:
    with one_at_a_time((tmp_path / "nothing.gguf",), memory_mib=100, patience_s=0):
        pass
