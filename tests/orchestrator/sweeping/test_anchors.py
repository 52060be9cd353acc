"""The baseline measured again during a sweep: on schedule, beside everything else, and whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from db.database import open_database
from db.rows import TrialRow
from db.states import TrialRole, TrialState
from orchestrator.analysis.collect import collect
from orchestrator.analysis.summary import Summary, summarise
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from tests.orchestrator.sweeping.canonical import facts
from tests.orchestrator.sweeping.invariants import assert_finished
from tests.orchestrator.sweeping.killing import photographed
from tests.orchestrator.sweeping.laboratory import Bench
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig
from tests.support.scripted_pool import Fault, ScriptedPool
from tests.support.surfaces import Surface, Truth, plain
from workers.contract.job import Job
from workers.contract.reports import RigReport


def bench_of(database: Path, drift: str, rigs: tuple[RigReport, ...] = ()) -> Bench:
    """Six candidates, and a schedule."""
    return Bench.make(database, make_space(drift=drift), rigs)


def anchors_of(bench: Bench) -> list[TrialRow]:
    """What the sweep left of them."""
    return [trial for trial in bench.left().trials if trial.role is TrialRole.ANCHOR]


def summary_of(bench: Bench) -> Summary:
    """What is said of the sweep."""
    with open_database(str(bench.path), read_only=True) as database:
        sweep = database.sweeps.latest()
        assert sweep is not None
        return summarise(collect(database, sweep), sweep.space)


def is_anchor(job: Job) -> bool:
    """Anchors are launched once here, candidates twice."""
    return job.recipe.throughput.launches == 1 and Facet.THROUGHPUT in job.facets


def slower_after(jobs: int, factor: float) -> Surface:
    """A rig that slows down for good after so many jobs."""
    seen: list[Candidate] = []

    def look(candidate: Candidate, rig: RigReport) -> Truth:
        truth = plain(candidate, rig)
        seen.append(candidate)
        return replace(truth, tok_s=truth.tok_s * factor) if len(seen) > jobs else truth

    return look


@pytest.mark.parametrize(
    ("drift", "expected"),
    [
        ("{every: 1}", 6),
        ("{every: 2}", 3),
        ("{every: 4}", 2),  # after four, and at the end since two more were measured
        ("{every: 5}", 1),  # one more measurement is not worth another
        ("{every: 13}", 0),
        ("off", 0),
    ],
)
def test_the_schedule_is_counted_in_measured_speeds(
    database: Path, drift: str, expected: int
) -> None:
    bench = bench_of(database, drift)
    bench.run(ScriptedPool(bench.host))
    assert_finished(bench)
    assert len(anchors_of(bench)) == expected


def test_it_is_the_baseline_on_its_own_keys(database: Path) -> None:
    bench = bench_of(database, "{every: 2, launches: 3}")
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    (baseline,) = (t for t in bench.left().trials if t.role is TrialRole.BASELINE)
    anchors = anchors_of(bench)
    assert {anchor.candidate for anchor in anchors} == {baseline.candidate}
    keys = [baseline.memo[Facet.THROUGHPUT], *(a.memo[Facet.THROUGHPUT] for a in anchors)]
    assert len(set(keys)) == len(anchors) + 1
    with open_database(str(database), read_only=True) as opened:
        samples = opened.memo.samples_for(keys)
    assert len({row.job_id for row in samples[keys[0]]}) == 1
    assert [len({row.sample.launch for row in samples[key]}) for key in keys] == [2, 3, 3, 3]


def test_what_runs_again_measures_no_anchor_again(database: Path) -> None:
    bench = bench_of(database, "{every: 2}")
    bench.run(ScriptedPool(bench.host))
    again = ScriptedPool(bench.host)
    bench.run(again)
    assert again.runs == []


def test_each_rig_has_its_own(database: Path) -> None:
    rigs = (make_rig("a"), make_rig("b", card="NVIDIA GeForce RTX 3090"))
    bench = bench_of(database, "{every: 3}", rigs)
    bench.run(ScriptedPool(bench.host))
    assert sorted(anchor.rig for anchor in anchors_of(bench)) == ["a", "a", "b", "b"]


def test_one_that_fails_is_told_and_the_sweep_goes_on(database: Path) -> None:
    bench = bench_of(database, "{every: 3}")
    heard = bench.run(ScriptedPool(bench.host, faults=[Fault(lambda job, _: is_anchor(job))]))
    assert {anchor.state for anchor in anchors_of(bench)} == {TrialState.FAILED}
    assert len(heard.ended) == 6
    assert "rtx: the baseline again: the actor was lost: SIGKILL." in heard.notes
    summary = summary_of(bench)
    assert summary.drift == ()
    assert len(summary.groups[0].front.placed) == 6


def test_a_rig_that_slows_down_is_told_and_its_results_are_flagged(database: Path) -> None:
    bench = bench_of(database, "{every: 2}")
    bench.run(ScriptedPool(bench.host, slower_after(6, 0.8)))
    (drift,) = summary_of(bench).drift
    assert [check.drifted for check in drift.checks] == [False, True, True]
    flagged = [r.trial_id for r in summary_of(bench).records if "drift" in r.flags]
    assert flagged == list(drift.touched)
    assert 0 < len(flagged) < 6
    (note,) = (n for n in summary_of(bench).groups[0].notes if "drifted" in n)
    assert "had drifted: at " in note


def test_a_steady_rig_shows_no_drift(database: Path) -> None:
    bench = bench_of(database, "{every: 2}")
    bench.run(ScriptedPool(bench.host))
    summary = summary_of(bench)
    assert not summary.drift[0].drifted
    assert not any("drift" in record.flags for record in summary.records)


def test_killed_at_any_commit_nothing_is_lost_and_nothing_twice(
    database: Path, tmp_path: Path
) -> None:
    album = tmp_path / "album"
    album.mkdir()
    space = make_space("kv: [f16/f16, q8_0/q8_0], spec: [none, draft-dflash], n_max: [2]",
                       drift="{every: 2}", constraints="['tok_s >= 1']")  # fmt: skip
    bench = Bench.make(database, space)
    with photographed(database, album) as pictures:
        bench.run(ScriptedPool(bench.host))
    undisturbed = facts(database)
    assert sum(undisturbed.anchors.values()) == 2
    for moment, picture in enumerate(pictures):
        try:
            replace(bench, path=picture).run(ScriptedPool(bench.host, seed=moment))
            assert facts(picture) == undisturbed
        except BaseException as error:
            error.add_note(f"killed before commit {moment} of {len(pictures) - 1}")
            raise
