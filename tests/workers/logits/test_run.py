"""From the child's lines to samples, or to an error that says what happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_spaces.recipe import DivergenceRecipe, PerplexityRecipe
from workers.contract.failure import FailureKind, Phase
from workers.contract.outcome import Sample
from workers.engines.base import EngineError
from workers.logits import run
from workers.models.cache import CACHE_VARIABLE


@pytest.fixture(autouse=True)
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CHILD", "tests.workers.logits.scripted_child")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    for name in ("model.gguf", "corpus.txt"):
        (tmp_path / name).write_text(name)


def perplexity(
    tmp_path: Path, script: str, heard: list[tuple[int, int]] | None = None
) -> list[Sample]:
    return run.perplexity(
        tmp_path / "model.gguf",
        "f16",
        "f16",
        PerplexityRecipe(),
        tmp_path / "corpus.txt",
        1,
        tmp_path / "log",
        environment={"SCRIPT": script},
        on_progress=None if heard is None else lambda done, total: heard.append((done, total)),
    )


def failure(tmp_path: Path, script: str) -> EngineError:
    with pytest.raises(EngineError) as raised:
        perplexity(tmp_path, script)
    assert raised.value.phase is Phase.PERPLEXITY
    return raised.value


def test_every_chunk_is_a_sample(tmp_path: Path) -> None:
    samples = perplexity(tmp_path, "completes")
    assert [sample.label for sample in samples] == ["0", "1"]
    assert samples[1].values["nll"] == 101.0


def test_progress_counts_chunks(tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    perplexity(tmp_path, "completes", heard)
    assert list(dict.fromkeys(heard)) == [(0, 2), (1, 2), (2, 2)]


def test_an_abort_of_the_library_is_a_diagnosed_crash(tmp_path: Path) -> None:
    error = failure(tmp_path, "aborts")
    assert error.diagnosis.kind is FailureKind.ENGINE_CRASH
    assert "GGML_ASSERT" in error.log_tail


def test_what_the_log_names_is_the_diagnosis(tmp_path: Path) -> None:
    assert failure(tmp_path, "cannot_load").diagnosis.kind is FailureKind.MODEL_INCOMPATIBLE


def test_what_the_child_found_is_the_diagnosis(tmp_path: Path) -> None:
    diagnosis = failure(tmp_path, "faults").diagnosis
    assert diagnosis.kind is FailureKind.CONTEXT_OVERFLOW
    assert diagnosis.deterministic
    assert (diagnosis.evidence, diagnosis.advice) == ("too long", "Less.")


def test_a_missing_chunk_is_a_failure_whatever_the_exit_code(tmp_path: Path) -> None:
    assert failure(tmp_path, "stops_early").diagnosis.evidence


def test_a_mistake_in_the_child_shows_its_last_line(tmp_path: Path) -> None:
    assert "a mistake of ours" in failure(tmp_path, "raises").diagnosis.evidence


def test_a_reference_that_is_no_pair_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="'f16' is no K/V pair"):
        run.divergence(
            tmp_path / "model.gguf",
            "q8_0",
            "q8_0",
            DivergenceRecipe(reference="f16"),
            tmp_path / "corpus.txt",
            1,
            tmp_path / "log",
        )


def test_divergence_puts_the_run_s_figures_in_every_sample(tmp_path: Path) -> None:
    samples = run.divergence(
        tmp_path / "model.gguf",
        "q8_0",
        "q8_0",
        DivergenceRecipe(),
        tmp_path / "corpus.txt",
        1,
        tmp_path / "log",
        environment={"SCRIPT": "completes"},
    )
    assert [sample.values["kld_p999"] for sample in samples] == [0.5, 0.5]
