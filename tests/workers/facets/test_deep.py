"""Depth: the context is really filled, and what fails there costs nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from search_spaces.metrics import Facet
from search_spaces.recipe import DepthRecipe, Recipe
from tests.support.script import Fault, Script
from tests.support.scripted_engine import ScriptedEngine
from tests.workers.facets.bench import CPU, DFLASH, PLAIN, QUICK, Bench, bench
from tests.workers.rig_jobs import failed, job_of
from workers import rig_worker
from workers.contract.failure import FailureKind, Phase
from workers.contract.outcome import FacetResult
from workers.engines.base import EngineError
from workers.facets.serving import Served, serve
from workers.gpu.reader import Reading
from workers.gpu.scripted import ScriptedReader
from workers.rig_worker import RigWorker
from workers.suites.errors import SuiteError

HALF = 2000  # between the scripted depths of 0, half and all of a ctx of 4096
ALL = (Facet.DEPTH, Facet.MEMORY, Facet.THROUGHPUT)


def deep(tmp_path: Path, *scripts: Script, **changes: object) -> Bench:
    """A job that measures depth; `changes` are of its depth recipe, or of the bench."""
    names = DepthRecipe.model_fields
    how = DepthRecipe(predict=16, **{k: v for k, v in changes.items() if k in names})  # type: ignore[arg-type]
    others = {"facets": ALL} | {k: v for k, v in changes.items() if k not in names}
    here = bench(tmp_path, *scripts, deep=True, **others)  # type: ignore[arg-type]
    job = replace(here.setting.job, recipe=Recipe(throughput=QUICK, depth=how))
    return replace(here, setting=replace(here.setting, job=job))


def run(here: Bench) -> Served:
    served = serve(here.setting, here.trace)
    assert here.engine.running == 0, "an engine was left running"
    return served


def facets(served: Served) -> dict[Facet, FacetResult]:
    return {result.facet: result for result in served.results}


def values(served: Served) -> dict[str, float]:
    return {e.metric: e.value for e in facets(served)[Facet.DEPTH].estimates}


def failure(served: Served) -> EngineError:
    assert served.failure is not None
    return served.failure


def test_every_depth_is_asked_in_every_launch_and_read_as_long_as_it_is(tmp_path: Path) -> None:
    samples = facets(run(deep(tmp_path)))[Facet.DEPTH].samples

    assert [(s.launch, s.group) for s in samples] == [
        (launch, depth) for launch in (0, 1) for depth in ("0", "50%", "near-full")
    ]
    assert all(s.values["prompt_n"] == s.values["depth"] for s in samples)
    assert samples[1].values["depth"] == pytest.approx(2048, rel=0.05)
    assert samples[2].values["depth"] == pytest.approx(4096 - 17, rel=0.05)


def test_speeds_are_those_of_the_deepest(tmp_path: Path) -> None:
    made = values(run(deep(tmp_path)))

    assert {"tok_s_deep", "prompt_tok_s_deep", "ttft_deep_ms", "depth_max"} == made.keys()
    assert 4000 < made["depth_max"] <= 4096


def test_the_timed_suite_is_what_it_is_without_depth(tmp_path: Path) -> None:
    throughput = facets(run(deep(tmp_path)))[Facet.THROUGHPUT]

    assert all("depth" not in s.values for s in throughput.samples)
    assert throughput.flags == ()


def test_depth_alone_times_no_suite(tmp_path: Path) -> None:
    here = deep(tmp_path, facets=(Facet.DEPTH,), passes=2)

    served = run(here)

    assert facets(served).keys() == {Facet.DEPTH}
    assert len(here.engine.launches) == QUICK.launches
    assert len(facets(served)[Facet.DEPTH].samples) == 2 * 2 * 3


def test_each_depth_has_a_text_of_its_own_and_each_prompt_its_turn(tmp_path: Path) -> None:
    samples = facets(run(deep(tmp_path, prompts=2, depths=(512, 1024))))[Facet.DEPTH].samples

    assert len({s.label for s in samples}) == 4
    assert {s.group for s in samples} == {"512", "1024"}


def test_memory_covers_the_deep_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    level = [500.0]
    monkeypatch.setattr(
        "workers.facets.telemetry.reader_for",
        lambda rig, pid: Level(level),
    )
    monkeypatch.setattr(
        "workers.facets.one_launch.go_deep", lambda *_: iter([level.__setitem__(0, 900.0)][:0])
    )

    served = run(deep(tmp_path, facets=(Facet.DEPTH, Facet.MEMORY)))

    peak = next(
        e.value for e in facets(served)[Facet.MEMORY].estimates if e.metric == "mem_peak_mib"
    )
    assert peak == 900.0


class Level(ScriptedReader):
    """Tells the memory that is in use now."""

    def __init__(self, level: list[float]) -> None:
        super().__init__([Reading()])
        self._level = level

    def read(self) -> Reading:
        return Reading(mem_used_mib=self._level[0])


# -- faults


@pytest.mark.parametrize(
    ("fault", "rc", "kind"),
    [
        (Fault.REFUSES, None, FailureKind.CONTEXT_OVERFLOW),
        (Fault.ENDS_EARLY, None, FailureKind.CONTEXT_OVERFLOW),
        (Fault.BREAKS_OFF, -9, FailureKind.OUT_OF_MEMORY),
        (Fault.BREAKS_OFF, -11, FailureKind.ENGINE_CRASH),
        (Fault.STUCK, None, FailureKind.TIMEOUT_HANG),
        (Fault.CUTS, None, FailureKind.GATE),
    ],
)
def test_a_near_full_request_that_fails_is_named_and_leaves_what_was_measured(
    fault: Fault, rc: int | None, kind: FailureKind, tmp_path: Path
) -> None:
    engine = ScriptedEngine(Script(faults=(fault,), shallow=2 * HALF), rc=rc)
    here = deep(tmp_path, engine=engine, limit_s=0.5)

    served = run(here)

    assert failure(served).diagnosis.kind is kind
    assert facets(served).keys() == {Facet.THROUGHPUT}
    assert facets(served)[Facet.THROUGHPUT].flags == ()  # both launches were made
    assert any(
        name.endswith("_tok_s") and name.startswith("deep_") for name in here.trace.telemetry
    )


def test_the_failure_says_how_deep_it_was(tmp_path: Path) -> None:
    served = run(deep(tmp_path, Script(faults=(Fault.REFUSES,), shallow=2 * HALF)))

    assert "at depth near-full" in failure(served).diagnosis.evidence
    assert failure(served).phase is Phase.MEASURE


def test_depth_alone_stops_where_it_failed(tmp_path: Path) -> None:
    here = deep(tmp_path, Script(faults=(Fault.REFUSES,), shallow=HALF), facets=(Facet.DEPTH,))

    served = run(here)

    assert served.results == ()
    assert len(here.engine.launches) == 1


def test_a_depth_that_ctx_cannot_hold_is_an_overflow(tmp_path: Path) -> None:
    served = run(deep(tmp_path, depths=(0, 8192)))

    assert failure(served).diagnosis.kind is FailureKind.CONTEXT_OVERFLOW
    assert "8192" in failure(served).diagnosis.evidence


def test_a_prompt_longer_than_its_depth_is_the_recipes_fault(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="may be filled"):
        run(deep(tmp_path, candidate=replace(PLAIN, ctx=4096), depths=(0.001,)))


def test_a_stop_is_heard_between_deep_requests(tmp_path: Path) -> None:
    answers = iter([False] * 3)
    here = deep(tmp_path, facets=(Facet.DEPTH,), interrupted=lambda: next(answers, True))

    with pytest.raises(EngineError) as raised:
        run(here)

    assert raised.value.diagnosis.kind is FailureKind.INTERRUPTED


def test_a_drafter_drafts_at_depth(tmp_path: Path) -> None:
    samples = facets(run(deep(tmp_path, candidate=DFLASH)))[Facet.DEPTH].samples

    assert all(s.values["draft_n"] > 0 for s in samples)


def test_the_worker_fails_the_job_and_keeps_the_other_facets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Script(faults=(Fault.REFUSES,), shallow=2 * HALF)
    monkeypatch.setattr(rig_worker, "make_engine", lambda name, ref: ScriptedEngine(script))

    outcome = failed(RigWorker(CPU).run(job_of(tmp_path, facets=ALL, deep=True)))

    assert outcome.diagnosis.kind is FailureKind.CONTEXT_OVERFLOW
    assert [result.facet for result in outcome.results] == [Facet.THROUGHPUT]
