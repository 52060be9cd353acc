"""What a test of a facet must not depend on: the user's cache, and how busy this machine is."""

from __future__ import annotations

from pathlib import Path

import pytest

from workers.gpu import cpu
from workers.models.cache import CACHE_VARIABLE


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


@pytest.fixture(autouse=True)
def quiet_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu, "cpu_others_s", lambda engine: None)
