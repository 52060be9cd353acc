"""Numbers are filed under hashes: what was replaced since the plan is not measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from search_spaces.metrics import Facet
from tests.support.scripted_engine import LOGITS, SERVER, ScriptedEngine
from tests.workers.facets.bench import DFLASH, bench
from workers.contract.failure import FailureKind
from workers.contract.reports import EngineReport
from workers.engines.base import EngineError
from workers.facets.planned import check_planned
from workers.facets.setting import Setting
from workers.models.hashing import content_hash

TEXT, SPEED = (Facet.PERPLEXITY,), (Facet.THROUGHPUT,)


def planned(
    tmp_path: Path,
    facets: tuple[Facet, ...] = (*SPEED, *TEXT),
    engine: ScriptedEngine | None = None,
) -> Setting:
    """A job that was planned with the files as they are."""
    setting = bench(tmp_path, candidate=DFLASH, facets=facets, engine=engine).setting
    model, drafter = setting.assets.model, setting.assets.drafter
    assert drafter is not None
    model.write_bytes(b"weights")
    drafter.write_bytes(b"a drafter's")
    resolved = replace(
        setting.job.resolved, model=content_hash(model), drafter=content_hash(drafter)
    )
    return replace(setting, job=replace(setting.job, resolved=resolved))


def refusal(setting: Setting) -> EngineError:
    with pytest.raises(EngineError) as raised:
        check_planned(setting)
    return raised.value


def test_what_is_as_it_was_planned_passes(tmp_path: Path) -> None:
    check_planned(planned(tmp_path))


@pytest.mark.parametrize("name", ["target.gguf", "drafter.gguf"])
def test_a_file_that_was_written_anew_is_not_measured(name: str, tmp_path: Path) -> None:
    setting = planned(tmp_path)
    (tmp_path / name).write_bytes(b"other weights")

    found = refusal(setting).diagnosis

    assert name in found.evidence
    assert found.kind.is_infrastructure, "a candidate must not be blamed for it"


@pytest.mark.parametrize(("facets", "role"), [(SPEED, "server"), (TEXT, "logits")])
def test_an_engine_that_was_built_anew_is_not_measured(
    facets: tuple[Facet, ...], role: str, tmp_path: Path
) -> None:
    builds = tuple(
        replace(build, sha256="ff" * 32) if build.role == role else build
        for build in (SERVER, LOGITS)
    )
    setting = planned(tmp_path, facets, ScriptedEngine(builds=builds))

    assert "was replaced" in refusal(setting).diagnosis.evidence


def test_a_build_that_the_job_does_not_use_may_change(tmp_path: Path) -> None:
    engine = ScriptedEngine(builds=(SERVER, replace(LOGITS, sha256="ff" * 32)))

    check_planned(planned(tmp_path, SPEED, engine))


def test_an_engine_with_a_problem_is_named_with_it(tmp_path: Path) -> None:
    report = EngineReport("mine", "llama_server", problem="it needs the library libcuda.so.1")
    setting = replace(planned(tmp_path), report=report)

    found = refusal(setting).diagnosis

    assert found.kind is FailureKind.DRIVER_OR_INSTALL
    assert "libcuda.so.1" in found.evidence
