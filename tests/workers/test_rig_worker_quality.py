"""Quality as a job of a worker: on a scripted server, and on the real engine."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.recipe import QualityRecipe, Recipe
from search_spaces.space import EngineRef
from tests.support.script import Script
from tests.workers.facets.bench import CPU
from tests.workers.quality import needs
from tests.workers.quality.programs import answer
from tests.workers.rig_jobs import failed, served_by
from workers.contract.failure import FailureKind
from workers.contract.job import Job
from workers.contract.outcome import Completed
from workers.contract.resolved import ResolvedCandidate
from workers.engines.registry import make_engine
from workers.models.hashing import content_hash
from workers.models.resolve import resolve
from workers.quality.kept import kept_programs
from workers.rig_worker import RigWorker

ENGINES = os.environ.get("ORCHESTRATE_TEST_ENGINES", "")
ONE = QualityRecipe(tasks=("to_roman",), repetitions=2, predict=3000)


def wanting(job: Job, recipe: QualityRecipe = ONE) -> Job:
    """The same job, for the quality of its model."""
    memo = {Facet.QUALITY: "key"}
    return replace(job, facets=(Facet.QUALITY,), recipe=Recipe(quality=recipe), memo=memo)


def test_programs_are_asked_for_run_and_kept(tmp_path: Path) -> None:
    needs.sandbox()
    script = Script(chats=(("to_roman", answer("functions")),))
    outcome = RigWorker(CPU).run(wanting(served_by(tmp_path, script)))

    assert isinstance(outcome, Completed), outcome
    (result,) = outcome.results
    assert (result.estimates[0].metric, result.estimates[0].value) == ("quality_score", 3.0)
    log = Path(outcome.trace.launches[0].log_path)
    assert [kept.score for kept in kept_programs(log.parent)] == [3, 3]


def test_a_task_that_does_not_exist_fails_the_job(tmp_path: Path) -> None:
    unknown = QualityRecipe(tasks=("chess",))
    outcome = failed(RigWorker(CPU).run(wanting(served_by(tmp_path, Script()), unknown)))

    assert outcome.diagnosis.kind is FailureKind.INVALID_CONFIG
    assert "chess" in outcome.diagnosis.evidence


@pytest.mark.engine
@pytest.mark.parametrize(
    "engine",
    [
        EngineRef(kind="embedded"),
        pytest.param(
            EngineRef(path=ENGINES or "unset"),
            marks=pytest.mark.skipif(
                not ENGINES, reason="ORCHESTRATE_TEST_ENGINES names no directory"
            ),
        ),
    ],
    ids=["embedded", "llama-server"],
)
def test_a_real_model_writes_programs(tmp_path: Path, engine: EngineRef) -> None:
    needs.sandbox()
    build = make_engine("embedded", engine).probe().build("server")
    assert build is not None
    model = "builtin:smollm2-135m-Q4_1"
    candidate = Candidate(model=model, engine="embedded", ctx=1024)
    recipe = QualityRecipe(tasks=("to_roman",), repetitions=2, predict=64)
    resolved = ResolvedCandidate(candidate, build.sha256, "", content_hash(resolve(model)))
    memo = {Facet.QUALITY: "key"}
    logs = tmp_path / "logs"
    how = Recipe(quality=recipe)
    job = Job("real", resolved, engine, (Facet.QUALITY,), how, memo, log_dir=str(logs))
    outcome = RigWorker(CPU).run(job)

    assert isinstance(outcome, Completed), outcome
    (result,) = outcome.results
    assert len(result.samples) == 2
    assert all(0 < sample.values["tokens"] <= 64 for sample in result.samples)
    first, second = kept_programs(logs)
    assert first.answer.read_text() != second.answer.read_text()
