"""Perplexity and divergence: the engine's chunks become one result, or a diagnosis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from search_spaces.metrics import Facet
from tests.support.scripted_engine import LOGITS, SERVER, ScriptedEngine
from tests.workers.facets.bench import Bench, bench
from tests.workers.statistics.samples import chunks
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.outcome import FacetResult, Sample
from workers.engines.base import EngineError
from workers.facets.texts import score

PPL_20 = [256 * math.log(20)] * 8


def scored(tmp_path: Path, samples: Sequence[Sample], facet: Facet = Facet.PERPLEXITY) -> Bench:
    return bench(tmp_path, facets=[facet], engine=ScriptedEngine(scores=samples))


def run(here: Bench) -> FacetResult:
    return score(here.setting.job.facets[0], here.setting, here.trace)


def fail(here: Bench) -> EngineError:
    with pytest.raises(EngineError) as raised:
        run(here)
    return raised.value


def test_a_perplexity_comes_with_its_chunks_under_its_key_and_build(tmp_path: Path) -> None:
    result = run(scored(tmp_path, chunks(PPL_20)))

    assert (result.facet, result.memo_key) == (Facet.PERPLEXITY, "key-of-perplexity")
    assert result.build == LOGITS
    assert result.estimates[0].value == pytest.approx(20)
    assert len(result.samples) == 8
    assert result.flags == ()


def test_a_divergence_does_too(tmp_path: Path) -> None:
    samples = chunks([2.56] * 8, key="kld")

    result = run(scored(tmp_path, samples, Facet.DIVERGENCE))

    assert {e.metric: e.value for e in result.estimates} == {"kld_mean": pytest.approx(0.01)}


def test_few_chunks_are_flagged(tmp_path: Path) -> None:
    assert run(scored(tmp_path, chunks(PPL_20[:3]))).flags == ("few_chunks",)


def test_the_time_is_facet_time_and_no_start(tmp_path: Path) -> None:
    here = scored(tmp_path, chunks(PPL_20))

    run(here)

    assert here.trace.facets_s > 0
    assert here.trace.start_s == 0


@pytest.mark.parametrize(
    "nlls", [[], [math.nan] * 8, [*PPL_20, math.inf], [256 * 1000.0] * 2], ids=str
)
def test_a_result_that_is_no_number_means_a_broken_model(nlls: list[float], tmp_path: Path) -> None:
    error = fail(scored(tmp_path, chunks(nlls)))

    assert error.diagnosis.kind is FailureKind.QUALITY_BROKEN
    assert error.phase is Phase.PERPLEXITY
    assert error.diagnosis.deterministic


def test_chunks_without_tokens_are_no_result(tmp_path: Path) -> None:
    assert "no token" in fail(scored(tmp_path, chunks(PPL_20, tokens=0.0))).diagnosis.evidence


def test_chunks_without_their_sum_are_no_result(tmp_path: Path) -> None:
    error = fail(scored(tmp_path, chunks([1.0] * 8, key="nll"), Facet.DIVERGENCE))

    assert "kld" in error.diagnosis.evidence
    assert error.phase is Phase.DIVERGENCE


def test_the_engines_own_diagnosis_is_kept(tmp_path: Path) -> None:
    said = EngineError(
        Diagnosis(FailureKind.OUT_OF_MEMORY, "cudaMalloc failed", "Use less.", True),
        Phase.PERPLEXITY,
    )
    here = bench(tmp_path, facets=[Facet.PERPLEXITY], engine=ScriptedEngine(error=said))

    assert fail(here) is said


def test_a_stop_is_heard_before_a_text_is_scored(tmp_path: Path) -> None:
    here = bench(
        tmp_path,
        facets=[Facet.DIVERGENCE],
        engine=ScriptedEngine(scores=chunks(PPL_20)),
        interrupted=lambda: True,
    )

    error = fail(here)

    assert (error.diagnosis.kind, error.phase) == (FailureKind.INTERRUPTED, Phase.DIVERGENCE)


def test_an_engine_that_only_serves_scores_no_text(tmp_path: Path) -> None:
    engine = ScriptedEngine(scores=chunks(PPL_20), builds=(SERVER,))

    error = fail(bench(tmp_path, facets=[Facet.PERPLEXITY], engine=engine))

    assert error.diagnosis.kind is FailureKind.CAPABILITY_MISSING
