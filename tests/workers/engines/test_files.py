"""A candidate's files are looked at before an engine is started for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from workers.contract.failure import FailureKind, Phase
from workers.engines.base import Assets, EngineError
from workers.engines.files import check_files


def file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_gguf_files_pass(tmp_path: Path) -> None:
    model = file(tmp_path / "m.gguf", b"GGUF\3\0\0\0")
    check_files(Assets(model), Phase.LOAD)
    check_files(Assets(model, model), Phase.LOAD)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a GGUF file"),
        (b"<html>404</html>", "not a GGUF file"),
        (b"version https://git-lfs.github.com/spec/v1", "Git LFS pointer"),
    ],
)
def test_other_files_are_named(content: bytes, said: str, tmp_path: Path) -> None:
    model = file(tmp_path / "m.gguf", content)
    with pytest.raises(EngineError, match=said) as raised:
        check_files(Assets(model), Phase.PERPLEXITY)
    assert raised.value.diagnosis.kind is FailureKind.BAD_MODEL_FILE
    assert raised.value.phase is Phase.PERPLEXITY


def test_a_missing_drafter_is_named(tmp_path: Path) -> None:
    model = file(tmp_path / "m.gguf", b"GGUF")
    with pytest.raises(EngineError, match=r"d\.gguf cannot be read"):
        check_files(Assets(model, tmp_path / "d.gguf"), Phase.LOAD)
