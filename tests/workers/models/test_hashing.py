"""Hashes are remembered by path, size and modification time, and never wrongly."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from workers.models.errors import ModelError
from workers.models.hashing import content_hash, file_hash, split_parts


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"first")
    return path


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashlib, "file_digest", lambda *_: pytest.fail("the file was read again"))


def test_it_is_the_sha256_of_the_content(file: Path) -> None:
    assert file_hash(file) == sha256(b"first")


def test_an_unchanged_file_is_read_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = file_hash(file)
    forbid_reading(monkeypatch)
    assert file_hash(file) == first


def test_a_link_to_it_is_not_read_again(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(file)
    first = file_hash(file)
    forbid_reading(monkeypatch)
    assert file_hash(tmp_path / "link") == first


def test_another_size_is_another_content(file: Path) -> None:
    file_hash(file)
    file.write_bytes(b"second")
    assert file_hash(file) == sha256(b"second")


def test_another_time_is_another_content(file: Path) -> None:
    file_hash(file)
    file.write_bytes(b"other")
    os.utime(file, ns=(1, 1))
    assert file_hash(file) == sha256(b"other")


def test_a_damaged_note_is_ignored(file: Path, own_cache: Path) -> None:
    file_hash(file)
    (note,) = (own_cache / "hashes").glob("*.json")
    note.write_text('{"path": 3')
    assert file_hash(file) == sha256(b"first")


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"gone\.gguf cannot be read"):
        file_hash(tmp_path / "gone.gguf")


def test_a_split_model_is_all_of_its_parts(tmp_path: Path) -> None:
    first, second = (tmp_path / f"m-0000{n}-of-00002.gguf" for n in (1, 2))
    first.write_bytes(b"one")
    second.write_bytes(b"two")
    before = content_hash(first)
    second.write_bytes(b"else")
    assert split_parts(first) == (first, second)
    assert content_hash(first) != before
