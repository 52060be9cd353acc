"""`ctx_max` as a goal of a sweep: looked for once per launch, and then a limit for the rest."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from db.database import open_database
from db.states import TrialState
from orchestrator.analysis.collect import collect
from orchestrator.analysis.summary import summarise
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.space import Space
from tests.orchestrator.sweeping.laboratory import Bench, StopAfter
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.scripted_pool import Fault, ScriptedPool
from tests.support.surfaces import Truth, plain
from workers.contract.reports import RigReport

GOALS = "{tok_s: maximize, ctx_max: maximize}"


def short(candidate: Candidate, rig: RigReport) -> Truth:
    """K/V in 16 bits ends at 10,000 tokens, in 8 bits at 20,000."""
    ceiling = 10_000 if candidate.kv_k == "f16" else 20_000
    return replace(plain(candidate, rig), ceiling=ceiling)


def space(parameters: str = "kv: [f16/f16, q8_0/q8_0], spec: [none]") -> Space:
    """Two candidates by default."""
    return make_space(parameters, objectives=GOALS)


def ceilings(bench: Bench) -> dict[str, float]:
    """The measured ceiling of each K/V pair."""
    with open_database(str(bench.path), read_only=True) as database:
        sweep = database.sweeps.latest()
        assert sweep is not None
        records = collect(database, sweep)
    return {r.candidate.kv: r.estimates["ctx_max"].value for r in records if r.estimates}


def attempts(pool: ScriptedPool) -> int:
    """How many jobs were attempts at a ceiling."""
    return sum(job.facets == (Facet.CEILING,) for job in pool.jobs)


def test_every_candidate_has_its_ceiling(tmp_path: Path) -> None:
    bench = Bench.make(tmp_path / "o.db", space())
    bench.run(ScriptedPool(bench.host, short))
    assert ceilings(bench) == {"f16/f16": 9216, "q8_0/q8_0": 19_456}


def test_the_front_weighs_speed_against_context(tmp_path: Path) -> None:
    bench = Bench.make(tmp_path / "o.db", space())
    bench.run(ScriptedPool(bench.host, short))
    with open_database(str(bench.path), read_only=True) as database:
        sweep = database.sweeps.latest()
        assert sweep is not None
        summary = summarise(collect(database, sweep), sweep.space)
    members = [record.candidate.kv for group in summary.groups for record in group.front.members]
    assert "q8_0/q8_0" in members


def test_what_is_above_a_ceiling_is_not_tried(tmp_path: Path) -> None:
    axes = "kv: [f16/f16], spec: [none], ctx: [4096, 8192, 12288, 16384]"
    bench = Bench.make(tmp_path / "o.db", space(axes))
    pool = ScriptedPool(bench.host, short)
    bench.run(pool)
    timed = {run.candidate.ctx for run in pool.runs if Facet.THROUGHPUT in run.facets}
    assert timed <= {4096, 8192, 12_288, 16_384} and len(timed) < 4


def test_candidates_that_differ_in_ctx_share_one_search(tmp_path: Path) -> None:
    one, two = (
        Bench.make(tmp_path / f"{name}.db", space(f"kv: [f16/f16], spec: [none], ctx: [{name}]"))
        for name in ("4096", "4096, 8192")
    )
    pools = [ScriptedPool(bench.host, short) for bench in (one, two)]
    for bench, pool in zip((one, two), pools, strict=True):
        bench.run(pool)
    assert attempts(pools[0]) == attempts(pools[1]) > 0


@pytest.mark.parametrize("jobs", [2, 4, 6])
def test_a_stopped_sweep_goes_on_with_its_search(tmp_path: Path, jobs: int) -> None:
    bench = Bench.make(tmp_path / "o.db", space())
    first = ScriptedPool(bench.host, short)
    stopping = threading.Event()
    with pytest.raises(KeyboardInterrupt):
        bench.run(first, StopAfter(stopping, jobs=jobs), stopping)
    second = ScriptedPool(bench.host, short)
    bench.run(second)
    whole = Bench.make(tmp_path / "whole.db", space())
    pool = ScriptedPool(whole.host, short)
    whole.run(pool)
    assert ceilings(bench) == ceilings(whole)
    assert attempts(first) + attempts(second) <= attempts(pool) + 1  # the one that was cut off


def test_a_worker_lost_during_an_attempt_is_replaced(tmp_path: Path) -> None:
    bench = Bench.make(tmp_path / "o.db", space())
    lost = Fault(lambda job, before: job.facets == (Facet.CEILING,) and before == 1)
    bench.run(ScriptedPool(bench.host, short, faults=[lost]))
    assert ceilings(bench) == {"f16/f16": 9216, "q8_0/q8_0": 19_456}


def test_a_candidate_that_works_at_no_full_context_fails(tmp_path: Path) -> None:
    bench = Bench.make(tmp_path / "o.db", space("kv: [f16/f16], spec: [none]"))
    bench.run(ScriptedPool(bench.host, lambda c, r: replace(plain(c, r), ceiling=0)))
    assert [trial.state for trial in bench.left().trials] == [TrialState.FAILED]
