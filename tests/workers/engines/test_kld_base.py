"""The reference's probabilities on disk: whole or not at all, and within a limit."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from workers.contract.failure import FailureKind
from workers.engines.base import EngineError
from workers.engines.kld_base import KldBase, announced_size

N_CTX, N_VOCAB, N_CHUNK = 16, 100, 2
HEADER = struct.pack("<8siii", b"_logits_", N_CTX, N_VOCAB, N_CHUNK)
# header, tokens, and 7 scored rows a chunk of 104 numbers of 16 bits
SIZE = len(HEADER) + 4 * N_CTX * N_CHUNK + 2 * 104 * 7 * N_CHUNK


def whole(part: Path, watch: Callable[[], None]) -> None:
    part.write_bytes(HEADER.ljust(SIZE, b"\0"))
    watch()


def must_not_be_made(part: Path, watch: Callable[[], None]) -> None:
    raise AssertionError("the file was there")


@pytest.fixture
def base(tmp_path: Path) -> KldBase:
    return KldBase(tmp_path / "kld", limit=2 * SIZE)


def test_the_header_announces_the_size(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(HEADER)
    assert announced_size(path) == SIZE


@pytest.mark.parametrize("content", [b"", b"_logits_", b"nonsense" * 10, HEADER[:-4] + b"\0" * 4])
def test_without_a_header_nothing_is_announced(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert announced_size(path) is None


def test_it_is_made_once(base: KldBase) -> None:
    first = base.get("key", whole)
    assert first.stat().st_size == SIZE
    assert base.get("key", must_not_be_made) == first


def test_half_a_file_is_made_again(base: KldBase) -> None:
    path = base.get("key", whole)
    path.write_bytes(HEADER)
    assert base.get("key", whole).stat().st_size == SIZE


def test_a_failed_one_leaves_nothing(base: KldBase) -> None:
    def broken(part: Path, watch: Callable[[], None]) -> None:
        part.write_bytes(HEADER)
        raise ValueError

    with pytest.raises(ValueError):
        base.get("key", broken)
    assert [path for path in base.folder.iterdir() if path.suffix != ".lock"] == []


def test_one_that_is_too_large_is_stopped_while_it_is_written(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as raised:
        KldBase(tmp_path, limit=SIZE - 1).get("key", whole)
    assert raised.value.diagnosis.kind is FailureKind.INVALID_CONFIG
    assert "chunks" in raised.value.hint


def test_the_longest_unused_one_goes_first(base: KldBase) -> None:
    old, new = base.get("old", whole), base.get("new", whole)
    os.utime(old, (1, 1))
    base.get("third", whole)
    assert not old.exists()
    assert new.exists()


def test_using_one_makes_it_young(base: KldBase) -> None:
    old, new = base.get("old", whole), base.get("new", whole)
    for path in (old, new):
        os.utime(path, (1, 1))
    base.get("old", must_not_be_made)
    base.get("third", whole)
    assert old.exists()
    assert not new.exists()
