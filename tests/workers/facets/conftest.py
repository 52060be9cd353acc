"""Facets remember hashes of files in a cache; a test's lies beside its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from workers.models.cache import CACHE_VARIABLE


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
