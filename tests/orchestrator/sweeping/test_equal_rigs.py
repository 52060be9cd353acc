"""Equal rigs are one class: one search, one budget and one front; each rig works all the time."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from db.database import open_database
from db.states import SweepState, TrialRole
from db.states import TrialState as Row
from orchestrator.analysis.collect import collect
from orchestrator.analysis.summary import summarise
from orchestrator.sweeping.classes import classes_of, listed
from orchestrator.sweeping.pools.base import Finished
from orchestrator.sweeping.session import sweep_key
from search_spaces.space import Space
from tests.orchestrator.sweeping.invariants import assert_finished
from tests.orchestrator.sweeping.laboratory import Bench
from tests.orchestrator.sweeping.spaces import large_space, make_space
from tests.support.hosts import make_rig
from tests.support.scripted_pool import Fault, ScriptedPool, served_by
from tests.support.surfaces import failing
from workers.contract.failure import Diagnosis, FailureKind
from workers.contract.reports import RigReport

A, B, C = make_rig("a"), make_rig("b"), make_rig("c")
OTHER = make_rig("other", card="NVIDIA GeForce RTX 3090")
LOST = Diagnosis(FailureKind.WORKER_LOST, "the card fell off the bus.", "Restart.", False)


def names(space: Space, *rigs: RigReport) -> list[list[str]]:
    """The classes of these rigs, by name."""
    return [one.names for one in classes_of(Bench.make(Path("unused.db"), space, rigs).plan)]


# -- who is equal --------------------------------------------------------------------------------


def test_equal_cards_on_equal_hosts_are_one_class() -> None:
    assert names(make_space(), A, OTHER, B) == [["a", "b"], ["other"]]


@pytest.mark.parametrize(
    "change", [{"driver": "590.0"}, {"threads": 8}, {"tensor_split": "3,1"}], ids=str
)
def test_another_driver_processor_or_split_is_another_class(change: dict[str, object]) -> None:
    assert names(make_space(), A, replace(B, **change)) == [["a"], ["b"]]  # type: ignore[arg-type]


def test_a_space_that_reads_the_rigs_name_tells_them_apart() -> None:
    space = make_space(constraints="[\"ctx <= 8192 or rig.name == 'a'\"]")
    assert names(space, A, B) == [["a"], ["b"]]


def test_a_sweep_over_equal_rigs_is_not_one_from_before_they_shared() -> None:
    plan = Bench.make(Path("unused.db"), make_space(), [A, B]).plan
    apart = Bench.make(Path("unused.db"), make_space(), [A, replace(B, threads=8)]).plan
    assert sweep_key(plan) != sweep_key(apart)


def test_many_names_are_cut_short() -> None:
    assert listed(["a", "b", "c", "d"]) == "a, b, c, d"
    assert listed([f"r{i}" for i in range(64)]) == "r0, r1, r2 and 61 more"


# -- what they share -----------------------------------------------------------------------------


def test_they_share_candidates_and_budget(database: Path) -> None:
    bench = Bench.make(database, large_space(trials=16), [A, B, OTHER])
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    left = assert_finished(bench)
    assert {rig: len(left.of(rig)) for rig in ("a", "b", "other")} == {"a": 16, "b": 0, "other": 16}
    assert {run.rig for run in served_by(pool)} == {"a", "b", "other"}


def test_the_one_that_is_free_takes_the_next_trial(database: Path) -> None:
    """The first job takes as long as all the others together."""
    bench = Bench.make(database, large_space(trials=16), [A, B])
    pool = ScriptedPool(bench.host, slow=lambda job: job is pool.jobs[0])
    bench.run(pool)
    assert_finished(bench)
    busy = Counter(run.rig for run in pool.runs)
    assert busy["a"] <= 2 < 16 <= busy["b"]


def test_the_baseline_is_measured_once_for_all_of_them(database: Path) -> None:
    bench = Bench.make(database, make_space(), [A, B, C])
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    left = assert_finished(bench)
    assert [t.rig for t in left.trials if t.role is TrialRole.BASELINE] == ["a"]
    assert len(served_by(pool)) == 6


def test_a_failure_that_would_repeat_itself_is_seen_once(database: Path) -> None:
    bench = Bench.make(database, make_space(), [A, B])
    pool = ScriptedPool(bench.host, failing(lambda c, r: c.n_max == 4))
    bench.run(pool)
    left = assert_finished(bench)
    assert [run.attempt for run in served_by(pool) if run.candidate.n_max == 4] == [1, 1]
    assert [t.rig for t in left.trials if t.state is Row.FAILED] == ["a", "a"]


def test_the_sweep_says_who_shares_what(database: Path) -> None:
    bench = Bench.make(database, make_space(), [A, B])
    heard = bench.run(ScriptedPool(bench.host))
    assert "a has equals: b. They share one search and its budget" in heard.notes[0]
    with open_database(str(database), read_only=True) as opened:
        sweep = opened.sweeps.latest()
        assert sweep is not None
        (group,) = summarise(collect(opened, sweep), sweep.space).groups
    assert "Measured on a and b, which are equal and share one search." in group.notes


# -- what is lost --------------------------------------------------------------------------------


def test_what_one_loses_its_twin_tries_again(database: Path) -> None:
    bench = Bench.make(database, make_space(), [A, B])
    pool = ScriptedPool(bench.host, faults=[Fault(lambda job, before: before == 0)])
    bench.run(pool)
    left = assert_finished(bench)
    assert {trial.state for trial in left.trials} == {Row.COMPLETE}
    rigs = defaultdict(list)
    for job in left.jobs:
        rigs[min(job.memo.values())].append(job.rig)
    assert {tuple(sorted(tried)) for tried in rigs.values()} == {("a", "b")}


def test_a_rig_that_is_left_out_leaves_its_twin_the_rest(database: Path) -> None:
    bench = Bench.make(database, make_space(), [A, B])
    bench.run(ScriptedPool(bench.host, failing(lambda c, rig: rig.name == "b", LOST)))
    left = bench.left()
    assert left.sweep.state is SweepState.FINISHED
    assert {trial.state for trial in left.trials} == {Row.COMPLETE}
    assert len(left.trials) == 6


def test_one_that_was_left_without_its_twin_goes_on_alone(database: Path) -> None:
    """Killed in between: what both had begun is taken up."""
    bench = Bench.make(database, make_space(), [A, B])
    with pytest.raises(KeyboardInterrupt):
        bench.run(Dying(bench.host))
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    assert len([t for t in left.trials if t.state is Row.COMPLETE]) == 6


class Dying(ScriptedPool):
    """The driver is stopped when four jobs have begun."""

    def wait(self, timeout_s: float) -> list[Finished]:
        """Raises then."""
        if len(self.runs) >= 4:
            raise KeyboardInterrupt
        return super().wait(timeout_s)


# -- what stays each one's own -------------------------------------------------------------------


def test_each_has_anchors_of_its_own(database: Path) -> None:
    bench = Bench.make(database, make_space(drift="{every: 1}"), [A, B])
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    assert {t.rig for t in left.trials if t.role is TrialRole.ANCHOR} == {"a", "b"}
    with open_database(str(database), read_only=True) as opened:
        summary = summarise(collect(opened, left.sweep), left.sweep.space)
    assert [drift.rig for drift in summary.drift] == ["a", "b"]
    assert {drift.baseline.rig for drift in summary.drift} == {"a"}
