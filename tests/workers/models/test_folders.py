"""A model that is not where the space says is looked for where this host keeps its models."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workers.models.errors import ModelError
from workers.models.folders import FOLDERS_VARIABLE
from workers.models.resolve import resolve


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The second of two folders, with a model some way down in it."""
    first, second = tmp_path / "first", tmp_path / "second"
    (second / "owner" / "repo").mkdir(parents=True)
    first.mkdir()
    monkeypatch.setenv(FOLDERS_VARIABLE, os.pathsep.join(map(str, (first, second))))
    model = second / "owner" / "repo" / "small.gguf"
    model.touch()
    return model


@pytest.mark.parametrize(
    "reference", ["owner/repo/small.gguf", "small.gguf", "/elsewhere/small.gguf"]
)
def test_by_its_path_below_a_folder_or_by_its_name(kept: Path, reference: str) -> None:
    assert resolve(reference) == kept


def test_a_file_that_is_there_is_not_looked_for(kept: Path, tmp_path: Path) -> None:
    own = tmp_path / "small.gguf"
    own.touch()
    assert resolve(str(own)) == own


def test_what_is_nowhere_is_a_sentence(kept: Path) -> None:
    with pytest.raises(ModelError, match=r"There is no model file other\.gguf"):
        resolve("other.gguf")
