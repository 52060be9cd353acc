"""Tables are found by being there; a module without one is an error, not a silence."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import workers.failures.patterns as tables
from workers.contract.failure import FailureKind
from workers.failures import registry
from workers.failures.classify import classify

TABLE = """
from workers.contract.failure import FailureKind
from workers.failures.pattern import pattern

PATTERNS = (pattern(FailureKind.DISK_FULL, r"the attic is FULL", "attic", "Clear the attic."),)
"""


@pytest.fixture
def another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """One more folder in which tables are looked for, forgotten afterwards."""
    monkeypatch.setattr(tables, "__path__", [*tables.__path__, str(tmp_path)])
    registry.all_patterns.cache_clear()
    yield tmp_path
    registry.all_patterns.cache_clear()
    for name in [name for name in sys.modules if ".patterns.zz_" in name]:
        del sys.modules[name]


def test_a_new_table_is_used_without_a_change_elsewhere(another_folder: Path) -> None:
    (another_folder / "zz_attic.py").write_text(TABLE, encoding="utf-8")
    found = classify("E: The Attic is full!")
    assert found is not None
    assert (found.kind, found.detail) == (FailureKind.DISK_FULL, "attic")


def test_a_module_without_a_table_is_an_error(another_folder: Path) -> None:
    (another_folder / "zz_nothing.py").write_text("PATTERN = ()\n", encoding="utf-8")
    with pytest.raises(TypeError, match=r"zz_nothing\.py: no tuple PATTERNS"):
        registry.all_patterns()
