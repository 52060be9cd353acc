"""How long a load may take grows with what is read from disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from workers.engines.health import LoadLimit


def file(path: Path, size: int) -> Path:
    with path.open("wb") as opened:
        opened.truncate(size)
    return path


def test_it_grows_with_the_files(tmp_path: Path) -> None:
    files = [file(tmp_path / "m.gguf", 100_000_000), file(tmp_path / "d.gguf", 50_000_000)]
    assert LoadLimit().seconds(files) == pytest.approx(63.0)


def test_a_split_model_counts_whole(tmp_path: Path) -> None:
    first = file(tmp_path / "m-00001-of-00002.gguf", 1000)
    file(tmp_path / "m-00002-of-00002.gguf", 3000)
    assert LoadLimit(base_s=1, bytes_per_s=1000).seconds([first]) == pytest.approx(5.0)


def test_a_missing_file_is_the_engines_to_report(tmp_path: Path) -> None:
    assert LoadLimit(base_s=2).seconds([tmp_path / "nothing", None]) == 2
