"""What a host says before a sweep is planned."""

from __future__ import annotations

from pathlib import Path

import huggingface_hub
import pytest

from search_spaces.recipe import QualityRecipe
from search_spaces.space import EngineRef
from workers.contract.errors import OrchestrateError
from workers.quality.task import tasks_hash
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


def wanting(*tasks: str) -> SurveyRequest:
    recipe = QualityRecipe(tasks=tasks, allow_unconfined=True)
    return SurveyRequest(engines={}, models=(), quality=recipe)


def test_tasks_are_known_by_their_contents() -> None:
    assert survey(wanting("functions")).contents == {"task:functions": tasks_hash("functions")}


def test_a_missing_task_is_named() -> None:
    with pytest.raises(OrchestrateError, match="no task 'chess'"):
        survey(wanting("chess"))


def test_nothing_is_fetched_where_no_engine_can_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def download(repository: str, file: str) -> str:
        raise AssertionError(f"{file} of {repository} was fetched")

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    missing = {"mine": EngineRef(path="no-such-llama-server")}
    found = survey(SurveyRequest(engines=missing, models=("hf:someone/some-GGUF/m.gguf",)))
    assert [model.problem for model in found.models] == [
        "hf:someone/some-GGUF/m.gguf is not fetched: no engine here can use it."
    ]
