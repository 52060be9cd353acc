"""Every test of this room has a cache of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from workers.models.cache import CACHE_VARIABLE


@pytest.fixture(autouse=True)
def own_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    """An empty cache directory; tests with real engines use the one with the real models."""
    if request.node.get_closest_marker("engine") is None:
        monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"
