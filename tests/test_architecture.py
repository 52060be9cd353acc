"""What keeps the repository readable. Which room may import which is import-linter's to check."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = ("search_spaces", "workers", "db", "orchestrator", "dashboards")
ROOMS = (*SHIPPED, "benchmarks", "tests")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
PACKAGES = sorted(path for path in FILES if path.name == "__init__.py")
MOST_LINES = 300


def name_of(path: Path) -> str:
    """A file as people name it."""
    return str(path.relative_to(ROOT))


def parsed(path: Path) -> ast.Module:
    """A file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"))


def test_packages_import_nothing() -> None:
    """So that importing one module does not drag in its neighbours."""
    busy = [
        name_of(package)
        for package in PACKAGES
        if any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(parsed(package)))
    ]
    assert busy == []


def test_every_file_can_be_read_in_one_sitting() -> None:
    lines = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in FILES}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


@pytest.mark.parametrize("room", SHIPPED)
def test_every_folder_with_code_is_a_package(room: str) -> None:
    """A folder that is none would be left out of the wheel."""
    folders = {path.parent for path in (ROOT / room).rglob("*.py")}
    assert [name_of(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


@pytest.mark.parametrize("room", SHIPPED)
def test_every_module_says_what_it_is_about(room: str) -> None:
    silent = [
        name_of(path)
        for path in (ROOT / room).rglob("*.py")
        if path.name != "__init__.py" and ast.get_docstring(parsed(path)) is None
    ]
    assert silent == []
