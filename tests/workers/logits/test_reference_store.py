"""The reference's logits: kept whole or not at all, and never more than the limit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from workers.logits.reference_store import ReferenceStore

SHAPE = (3, 4, 5)
SIZE = 3 * 4 * 5 * 4
ROWS = np.arange(60, dtype=np.float32).reshape(SHAPE)


def store(path: Path, limit: int = 10 * SIZE) -> ReferenceStore:
    return ReferenceStore(path, SHAPE, limit)


def fill(path: Path, limit: int = 10 * SIZE) -> None:
    writing = store(path, limit)
    writing.keep(ROWS[:2])
    writing.keep(ROWS[2:])
    writing.close()


def test_what_was_kept_is_found_again(tmp_path: Path) -> None:
    fill(tmp_path / "a.logits")
    stored = store(tmp_path / "a.logits").stored
    assert stored is not None
    assert np.array_equal(stored, ROWS)


def test_half_a_reference_is_not_kept(tmp_path: Path) -> None:
    writing = store(tmp_path / "a.logits")
    writing.keep(ROWS[:2])
    writing.close()
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_another_size_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "a.logits").write_bytes(b"short")
    assert store(tmp_path / "a.logits").stored is None


def test_nothing_is_kept_above_the_limit(tmp_path: Path) -> None:
    fill(tmp_path / "a.logits", limit=SIZE - 1)
    assert list(tmp_path.iterdir()) == []


def test_the_one_not_used_longest_goes_first(tmp_path: Path) -> None:
    for age, name in enumerate(("a", "b", "c")):
        fill(tmp_path / f"{name}.logits")
        os.utime(tmp_path / f"{name}.logits", (age, age))
    assert store(tmp_path / "a.logits").stored is not None  # used: now the youngest
    fill(tmp_path / "d.logits", limit=3 * SIZE)
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["a", "c", "d"]


def test_what_a_killed_child_left_is_removed(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (tmp_path / f".a.logits.{dead.pid}.part").write_bytes(b"half")
    (tmp_path / f".b.logits.{os.getpid()}.part").write_bytes(b"being written")
    fill(tmp_path / "c.logits")
    assert {path.name for path in tmp_path.iterdir()} == {
        f".b.logits.{os.getpid()}.part",
        "c.logits",
    }


def test_a_disk_that_refuses_only_ends_the_keeping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refuse(rows: object) -> object:
        raise OSError(28, "No space left on device")

    writing = store(tmp_path / "a.logits")
    monkeypatch.setattr(np, "ascontiguousarray", refuse)
    writing.keep(ROWS)
    writing.close()
    assert "are not kept" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []
