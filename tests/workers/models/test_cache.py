"""Files of the cache: whole or absent, made once, and a clear word when they cannot be."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from workers.models import cache
from workers.models.cache import cache_dir, make_once
from workers.models.errors import ModelError


def test_the_cache_is_where_the_variable_says(own_cache: Path) -> None:
    assert cache_dir() == own_cache
    assert own_cache.is_dir()


def test_without_the_variable_it_is_the_users_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(cache.CACHE_VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_dir().name == "orchestrate"
    assert tmp_path in cache_dir().parents


def test_a_cache_that_cannot_be_made_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "file" / "cache"))
    with pytest.raises(ModelError, match=cache.CACHE_VARIABLE):
        cache_dir()


def test_a_file_that_exists_is_not_made_again(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("old")
    make_once(tmp_path / "model", 1, lambda part: pytest.fail("made again"))
    assert (tmp_path / "model").read_text() == "old"


def test_a_failed_making_leaves_neither_the_name_nor_a_part(tmp_path: Path) -> None:
    def make(part: Path) -> None:
        part.write_text("half")
        raise ModelError("The source is gone.")

    with pytest.raises(ModelError, match="The source is gone"):
        make_once(tmp_path / "model", 1, make)
    assert [path.name for path in tmp_path.iterdir()] == [".model.lock"]


def test_what_a_dead_process_left_is_replaced(tmp_path: Path) -> None:
    (tmp_path / ".model.part").write_text("half of an older attempt, longer than the whole")

    def make(part: Path) -> None:
        part.write_text("whole")

    make_once(tmp_path / "model", 1, make)
    assert (tmp_path / "model").read_text() == "whole"


def test_two_at_once_make_it_once(tmp_path: Path) -> None:
    inside, go_on, made = threading.Event(), threading.Event(), []

    def slow(part: Path) -> None:
        made.append("first")
        inside.set()
        assert go_on.wait(60)
        part.write_text("first")

    def other(part: Path) -> None:
        made.append("second")
        part.write_text("second")

    first = threading.Thread(target=make_once, args=(tmp_path / "model", 1, slow))
    second = threading.Thread(target=make_once, args=(tmp_path / "model", 1, other))
    first.start()
    assert inside.wait(60)
    second.start()
    go_on.set()
    first.join()
    second.join()
    assert made == ["first"]


def test_a_full_disk_is_said_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"model needs \d+ MiB .* are free"):
        make_once(tmp_path / "model", 2**60, lambda part: pytest.fail("written"))


def test_a_disk_that_fills_up_meanwhile_is_one_sentence(tmp_path: Path) -> None:
    def make(part: Path) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(ModelError, match=r"model cannot be written .*No space left"):
        make_once(tmp_path / "model", 1, make)
