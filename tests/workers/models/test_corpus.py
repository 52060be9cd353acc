"""Corpora are known by their content."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.support.models import real_corpus
from workers.models.corpus import corpus_hash, corpus_path, corpus_warning, known_corpus_name
from workers.models.errors import CorpusError

BUILTIN = "builtin:wikitext2-64k"


def test_the_builtin_corpus_is_64_kib_of_text() -> None:
    content = corpus_path(BUILTIN).read_bytes()
    assert len(content) == 65_536
    content.decode("utf-8")


def test_the_builtin_corpus_is_known_by_its_hash() -> None:
    assert "WikiText-2" in str(known_corpus_name(corpus_hash(BUILTIN)))


def test_the_builtin_corpus_comes_with_its_licence() -> None:
    licence = corpus_path(BUILTIN).with_name("wikitext2-64k.LICENSE.md").read_text()
    assert corpus_hash(BUILTIN) in licence
    assert "ShareAlike 3.0" in licence


def test_the_builtin_corpus_is_the_start_of_the_real_one() -> None:
    with real_corpus().open("rb") as stream:
        assert stream.read(65_536) == corpus_path(BUILTIN).read_bytes()


def test_a_path_is_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_bytes(b"text")
    assert corpus_hash(str(tmp_path / "mine.txt")) == hashlib.sha256(b"text").hexdigest()


def test_a_misspelt_builtin_is_told_the_nearest() -> None:
    with pytest.raises(CorpusError, match="Did you mean 'wikitext2-64k'"):
        corpus_path("builtin:wikitext2")


def test_a_missing_file_is_told_the_builtin_one(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="builtin:wikitext2-64k"):
        corpus_hash(str(tmp_path / "gone.txt"))


def test_a_text_that_only_has_the_name_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "wiki.test.raw").write_text("made-up text")
    assert "is not the WikiText-2 text" in str(corpus_warning(str(tmp_path / "wiki.test.raw")))


def test_the_real_text_is_not_warned_of() -> None:
    assert corpus_warning(str(real_corpus())) is None


def test_another_name_promises_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("made-up text")
    assert corpus_warning(str(tmp_path / "mine.txt")) is None
