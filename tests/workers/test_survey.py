"""What a host says before a sweep is planned."""

from __future__ import annotations

from pathlib import Path

import pytest

from workers.contract.errors import OrchestrateError
from workers.survey import SurveyRequest, survey


def request(corpus: Path) -> SurveyRequest:
    return SurveyRequest(engines={}, models=(), corpora=(str(corpus),))


def test_a_text_that_only_is_called_wikitext_is_a_warning(tmp_path: Path) -> None:
    corpus = tmp_path / "wiki.test.raw"
    corpus.write_text("Not the text that this name promises.\n")
    (said,) = survey(request(corpus)).warnings
    assert "is not the WikiText-2 text" in said


def test_a_text_of_ones_own_is_none(tmp_path: Path) -> None:
    corpus = tmp_path / "mine.txt"
    corpus.write_text("My own words.\n")
    report = survey(request(corpus))
    assert report.warnings == ()
    assert report.contents[str(corpus)]


def test_a_missing_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(OrchestrateError, match=r"nowhere\.txt"):
        survey(request(tmp_path / "nowhere.txt"))
