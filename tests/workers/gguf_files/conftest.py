"""A small target and a drafter that belongs to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.gguf_writer import write_dflash, write_gguf


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_gguf(tmp_path / "model.gguf")


@pytest.fixture
def drafter(tmp_path: Path) -> Path:
    return write_dflash(tmp_path / "drafter.gguf")
