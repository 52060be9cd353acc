"""Where there is no sandbox nothing is run, unless somebody insists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_spaces.recipe import QualityRecipe
from workers.quality.able import able
from workers.quality.errors import SandboxError, TaskError
from workers.quality.sandbox import choose
from workers.quality.sandbox.base import Command
from workers.quality.sandbox.choose import sandbox_for
from workers.quality.sandbox.running import running
from workers.quality.sandbox.unconfined import Unconfined
from workers.quality.scorers import web_game


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    choose._find.cache_clear()
    yield
    choose._find.cache_clear()


@pytest.fixture
def _nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def broken(folder: Path) -> Path:
    """A bwrap as it is where user namespaces are forbidden."""
    path = folder / "bwrap"
    said = "bwrap: setting up uid map: Permission denied"
    path.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    path.chmod(0o755)
    return path


@pytest.mark.usefixtures("_nothing_installed")
def test_without_bubblewrap_it_is_refused_in_one_sentence() -> None:
    with pytest.raises(SandboxError) as caught:
        sandbox_for()
    assert "bubblewrap is not installed" in caught.value.message
    assert caught.value.message.count(".") == 1
    assert "allow_unconfined" in caught.value.hint


@pytest.mark.usefixtures("_nothing_installed")
def test_where_user_namespaces_are_forbidden_it_says_so(tmp_path: Path) -> None:
    broken(tmp_path)
    with pytest.raises(SandboxError, match="uid map: Permission denied"):
        sandbox_for()


@pytest.mark.usefixtures("_nothing_installed")
def test_who_insists_gets_limits_and_nothing_more() -> None:
    sandbox = sandbox_for(allow_unconfined=True)
    assert isinstance(sandbox, Unconfined)


def test_a_program_that_is_not_confined_runs_in_a_folder_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    sandbox = Unconfined()
    program = "import os\nprint(os.getcwd(), dict(os.environ))"
    command = Command((sandbox.python, "-I", "program.py"), {"program.py": program})
    with running(sandbox, command) as started:
        told = started.read_all(10_000).decode()
        where = Path(started.directory)

    assert str(where) in told
    assert "hidden" not in told
    assert not where.exists()


def test_a_browser_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_game, "browser_path", lambda: None)
    with pytest.raises(SandboxError, match="task tetris_html cannot be scored here"):
        able(QualityRecipe(tasks=("tetris_html",), allow_unconfined=True))


def test_a_task_that_is_missing_is_named() -> None:
    with pytest.raises(TaskError, match="no task 'tetriss'"):
        able(QualityRecipe(tasks=("tetriss",), allow_unconfined=True))
