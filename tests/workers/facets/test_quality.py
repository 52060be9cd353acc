"""The quality facet: what is launched and asked, what is run, what comes back and what is kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from search_spaces.metrics import Facet
from search_spaces.recipe import QualityRecipe, Recipe
from tests.support.script import Fault, Script
from tests.support.scripted_engine import SERVER, ScriptedEngine
from tests.workers.facets.bench import DFLASH, Bench, bench
from tests.workers.quality import needs
from tests.workers.quality.programs import answer, fenced
from workers.contract.failure import FailureKind
from workers.contract.outcome import FacetResult
from workers.engines.base import EngineError
from workers.facets import quality as facet
from workers.facets.quality import assess
from workers.quality.errors import SandboxError
from workers.quality.kept import kept_programs

ROMAN = ("to_roman", answer("functions"))
MERGE = ("merge_intervals", fenced("def merge_intervals(pairs): return []"))
ASKED = QualityRecipe(tasks=("to_roman", "merge_intervals"), repetitions=2, predict=4000)


@pytest.fixture(autouse=True)
def _sandboxed() -> None:
    needs.sandbox()


def here(tmp_path: Path, script: Script, recipe: QualityRecipe = ASKED, **more: object) -> Bench:
    made = bench(tmp_path, script, facets=[Facet.QUALITY], **more)  # type: ignore[arg-type]
    job = replace(made.setting.job, recipe=Recipe(quality=recipe))
    return replace(made, setting=replace(made.setting, job=job))


def run(bench: Bench) -> FacetResult:
    return assess(bench.setting, bench.trace)


def test_the_mean_score_comes_back_with_every_program(tmp_path: Path) -> None:
    result = run(here(tmp_path, Script(chats=(ROMAN, MERGE))))

    assert (result.facet, result.memo_key, result.build) == (
        Facet.QUALITY,
        "key-of-quality",
        SERVER,
    )
    (made,) = result.estimates
    assert (made.metric, made.value, made.n) == ("quality_score", 2.0, 4)
    assert {(s.label, s.repeat, s.values["score"]) for s in result.samples} == {
        *(("to_roman", repeat, 3.0) for repeat in (0, 1)),
        *(("merge_intervals", repeat, 1.0) for repeat in (0, 1)),  # [] is right for []
    }
    assert {sample.group for sample in result.samples} == {"functions"}


def test_answers_programs_and_scores_are_kept_beside_the_logs(tmp_path: Path) -> None:
    made = here(tmp_path, Script(chats=(ROMAN,)))
    run(made)

    kept = kept_programs(made.setting.log_dir)
    assert [(k.task, k.repetition, k.score) for k in kept] == [
        ("merge_intervals", 0, 0),
        ("merge_intervals", 1, 0),
        ("to_roman", 0, 3),
        ("to_roman", 1, 3),
    ]
    assert kept[0].program is None and kept[0].answer.read_text() == "Sorry."
    assert kept[2].program is not None and "def to_roman" in kept[2].program.read_text()


def test_no_draft_is_made_and_the_context_is_what_a_request_needs(tmp_path: Path) -> None:
    made = here(tmp_path, Script(), candidate=replace(DFLASH, ctx=131_072))
    run(made)

    (launched,) = made.engine.launches
    assert (launched.spec, launched.drafter, launched.n_max) == ("none", None, None)
    assert launched.ctx == ASKED.window(131_072) < 131_072


def test_an_answer_that_was_cut_off_flags_the_result(tmp_path: Path) -> None:
    result = run(here(tmp_path, Script(chats=(ROMAN,)), replace_predict(16)))

    assert facet.CUT in result.flags


def replace_predict(predict: int) -> QualityRecipe:
    return ASKED.model_copy(update={"predict": predict})


def test_a_single_repetition_flags_the_result(tmp_path: Path) -> None:
    once = ASKED.model_copy(update={"repetitions": 1})
    result = run(here(tmp_path, Script(chats=(ROMAN,)), once))

    assert result.flags == (facet.ONE_REPETITION,)
    assert result.estimates[0].low is None


def test_other_types_than_asked_are_told(tmp_path: Path) -> None:
    candidate = replace(DFLASH, kv_k="q8_0", kv_v="q8_0")
    made = here(tmp_path, Script(faults=(Fault.REDIRECTED_KV,)), candidate=candidate)
    run(made)

    assert made.trace.effective == {"kv_k": "f16", "kv_v": "f16"}


def test_another_model_on_the_port_fails_the_job(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="another"):
        run(here(tmp_path, Script(faults=(Fault.WRONG_MODEL,))))


def test_a_broken_connection_is_a_failure_of_the_engine(tmp_path: Path) -> None:
    script = Script(faults=(Fault.BREAKS_OFF,), good=2)
    with pytest.raises(EngineError) as caught:
        run(here(tmp_path, script, engine=ScriptedEngine(script, rc=-11)))
    assert caught.value.diagnosis.kind is FailureKind.ENGINE_CRASH


def test_without_a_sandbox_nothing_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(recipe: QualityRecipe) -> None:
        raise SandboxError("no sandbox.", "Install one.")

    monkeypatch.setattr(facet, "able", none)
    made = here(tmp_path, Script())
    with pytest.raises(EngineError) as caught:
        run(made)
    assert caught.value.diagnosis.kind is FailureKind.DRIVER_OR_INSTALL
    assert made.engine.launches == []


def test_a_stop_is_heard_between_programs(tmp_path: Path) -> None:
    asked: list[None] = []

    def later() -> bool:
        asked.append(None)
        return len(asked) > 8

    made = here(tmp_path, Script(chats=(ROMAN, MERGE)), interrupted=later)
    with pytest.raises(EngineError) as caught:
        run(made)
    assert caught.value.diagnosis.kind is FailureKind.INTERRUPTED
    assert made.engine.running == 0
