"""The same command again: what is measured stays, what is missing is measured."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from db.database import open_database
from db.errors import DatabaseError
from db.states import SweepState, TrialRole
from db.states import TrialState as Row
from orchestrator.sweeping.resolve import Resolver
from orchestrator.sweeping.session import sweep_key
from search_spaces.metrics import Facet
from search_spaces.space import Budget
from tests.orchestrator.sweeping.invariants import assert_finished
from tests.orchestrator.sweeping.laboratory import Bench, StopAfter
from tests.orchestrator.sweeping.spaces import MEASURE, large_space, make_space
from tests.support.hosts import make_host, make_rig
from tests.support.scripted_pool import Fault, ScriptedPool
from tests.support.surfaces import failing


def with_budget(bench: Bench, trials: int) -> Bench:
    """The same sweep with another budget."""
    space = bench.space.model_copy(update={"budget": Budget(trials=trials)})
    return replace(bench, space=space)


def test_a_finished_sweep_has_nothing_left_to_do(database: Path) -> None:
    bench = Bench.make(database, make_space())
    bench.run(ScriptedPool(bench.host))
    again = ScriptedPool(bench.host)
    heard = bench.run(again)
    left = assert_finished(bench)
    assert (again.runs, heard.ended, heard.resumed) == ([], [], 6)
    assert left.sweep.runs == 2


def test_a_greater_budget_goes_on_with_the_same_sweep(database: Path) -> None:
    first = Bench.make(database, large_space(trials=6))
    first.run(ScriptedPool(first.host))
    before = assert_finished(first)
    second = with_budget(first, 9)
    pool = ScriptedPool(first.host)
    heard = second.run(pool)
    after = assert_finished(second)
    assert after.sweep.id == before.sweep.id
    assert after.trials[:6] == before.trials
    assert (len(after.trials), heard.resumed, len(heard.ended)) == (9, 6, 3)
    assert not {key for job in pool.jobs for key in job.memo.values()} & set(before.deliveries)


def test_a_smaller_budget_measures_nothing(database: Path) -> None:
    bench = Bench.make(database, large_space(trials=6))
    bench.run(ScriptedPool(bench.host))
    smaller = with_budget(bench, 3)
    pool = ScriptedPool(bench.host)
    smaller.run(pool)
    assert pool.runs == []
    assert len(assert_finished(smaller).trials) == 6


def test_a_budget_may_grow_until_the_space_is_exhausted(database: Path) -> None:
    bench = Bench.make(database, make_space(trials=2))
    for trials in (2, 4, 100):
        with_budget(bench, trials).run(ScriptedPool(bench.host))
    assert len(assert_finished(with_budget(bench, 100)).trials) == 6


def test_a_changed_space_reuses_every_measurement_that_still_fits(database: Path) -> None:
    first = Bench.make(database, make_space("kv: [f16/f16, q8_0/q8_0]"))
    first.run(ScriptedPool(first.host))
    wider = Bench.make(database, make_space("kv: [f16/f16, q8_0/q8_0, q4_0/q4_0]"))
    pool = ScriptedPool(wider.host)
    wider.run(pool)
    left = assert_finished(wider)
    assert {run.candidate.kv for run in pool.runs} == {"q4_0/q4_0"}
    assert len(left.trials) == 3
    assert left.sweep.id != first.left().sweep.id


def test_another_objective_measures_only_what_is_new(database: Path) -> None:
    speed = "\n".join(line for line in MEASURE.splitlines() if "perplexity" not in line)
    first = Bench.make(database, make_space(objectives="{tok_s: maximize}", measure=speed))
    first.run(ScriptedPool(first.host))
    both = Bench.make(database, make_space())
    pool = ScriptedPool(both.host)
    both.run(pool)
    assert_finished(both)
    assert {facet for run in pool.runs for facet in run.facets} == {Facet.PERPLEXITY}


def test_a_failure_of_an_earlier_sweep_is_not_tried_again(database: Path) -> None:
    small = make_space("kv: [f16/f16, q8_0/q8_0]")
    first = Bench.make(database, small)
    first.run(ScriptedPool(first.host, failing(lambda c, r: c.kv_k == "q8_0")))
    wider = Bench.make(database, make_space("kv: [f16/f16, q8_0/q8_0, q4_0/q4_0]"))
    pool = ScriptedPool(wider.host)
    wider.run(pool)
    left = assert_finished(wider)
    assert {run.candidate.kv for run in pool.runs} == {"q4_0/q4_0"}
    failed = [trial for trial in left.trials if trial.state is Row.FAILED]
    assert [trial.candidate.kv for trial in failed] == ["q8_0/q8_0"]


def test_what_the_machinery_lost_is_measured_by_the_next_run(database: Path) -> None:
    bench = Bench.make(database, make_space())
    # One candidate only: a rig that loses one worker after another is left out.
    lost = Fault(
        lambda job, _: (
            Facet.THROUGHPUT in job.facets
            and (job.resolved.candidate.kv_k, job.resolved.candidate.n_max) == ("q8_0", 4)
        )
    )
    bench.run(ScriptedPool(bench.host, faults=[lost]))
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    left = assert_finished(bench)
    whole = {trial.candidate for trial in left.trials if trial.state is Row.COMPLETE}
    assert len(whole) == 6
    assert {run.candidate.n_max for run in pool.runs} == {4}


def test_lost_trials_are_replaced_within_the_budget(database: Path) -> None:
    bench = Bench.make(database, large_space(trials=6))
    lost = Fault(lambda job, before: job.resolved.candidate.drafts)
    bench.run(ScriptedPool(bench.host, faults=[lost]))
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    assert len([trial for trial in left.trials if trial.state is Row.COMPLETE]) == 6


def test_an_engine_exchanged_meanwhile_gets_keys_of_its_own(database: Path) -> None:
    """A trial that waits is measured by today's engine, and filed under it."""
    bench = Bench.make(database, make_space())
    stopping = threading.Event()
    with pytest.raises(KeyboardInterrupt):
        bench.run(ScriptedPool(bench.host), StopAfter(stopping, jobs=1), stopping)
    rebuilt = replace(bench, host=make_host(bench.space, engine_sha="b" * 64))
    pool = ScriptedPool(rebuilt.host)
    rebuilt.run(pool)
    assert_finished(rebuilt)
    today = Resolver(rebuilt.space, rebuilt.host.rigs[0], rebuilt.host)
    assert len(pool.jobs) == 8  # six speeds and two perplexities, one of which is known of another
    for job in pool.jobs:
        assert job.resolved == today.resolve(job.resolved.candidate)
        assert job.memo.items() <= today.memo(job.resolved).items()


def test_a_trial_goes_on_waiting_for_a_model_that_has_gone(database: Path) -> None:
    bench = Bench.make(database, make_space("model: [small, big]", fixed="spec: none"))
    stopping = threading.Event()
    with pytest.raises(KeyboardInterrupt):
        bench.run(ScriptedPool(bench.host), StopAfter(stopping, jobs=1), stopping)
    gone = replace(bench, host=make_host(bench.space, missing=["small", "big"]))
    heard = gone.run(ScriptedPool(gone.host))
    assert any("goes on waiting, because no file" in note for note in heard.notes)
    bench.run(ScriptedPool(bench.host))
    assert len(assert_finished(bench).trials) == 2


def test_a_rig_that_is_there_no_more_is_another_sweep(database: Path) -> None:
    both = Bench.make(database, make_space(), [make_rig("a"), make_rig("b", card="RTX 3090")])
    both.run(ScriptedPool(both.host))
    one = Bench.make(database, make_space(), [make_rig("a")])
    pool = ScriptedPool(one.host)
    one.run(pool)
    assert sweep_key(one.plan) != sweep_key(both.plan)
    assert pool.runs == []
    assert_finished(one)


def test_a_second_driver_of_a_running_sweep_is_refused(database: Path) -> None:
    """Only another process counts as a second one, so the records name one that lives."""
    bench = Bench.make(database, make_space())
    bench.run(ScriptedPool(bench.host))
    parent = psutil.Process(os.getppid())
    with open_database(str(database)) as opened, opened.engine.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE sweeps SET state = 'running', driver_pid = ?, driver_started = ?",
            (parent.pid, parent.create_time()),
        )
    with pytest.raises(DatabaseError, match="already run by process"):
        bench.run(ScriptedPool(bench.host))


def test_two_sweeps_share_one_database_at_the_same_time(database: Path) -> None:
    spaces = [make_space(name="one"), make_space("ctx: [512, 1024, 2048]", name="two")]
    rigs = [make_rig("a"), make_rig("b", card="NVIDIA GeForce RTX 3090")]
    benches = [Bench.make(database, s, [r]) for s, r in zip(spaces, rigs, strict=True)]
    with ThreadPoolExecutor() as threads:
        list(threads.map(lambda bench: bench.run(ScriptedPool(bench.host)), benches))
    for bench in benches:
        left = bench.left()
        assert left.sweep.state is SweepState.FINISHED
        assert {trial.state for trial in left.trials} == {Row.COMPLETE}


def test_the_baselines_role_survives(database: Path) -> None:
    bench = Bench.make(database, make_space())
    stopping = threading.Event()
    with pytest.raises(KeyboardInterrupt):
        bench.run(ScriptedPool(bench.host), StopAfter(stopping, jobs=1), stopping)
    heard = bench.run(ScriptedPool(bench.host))
    assert [ended.is_baseline for ended in heard.ended].count(True) == 1
    assert heard.ended[0].is_baseline
    roles = [trial.role for trial in assert_finished(bench).trials]
    assert roles.count(TrialRole.BASELINE) == 1
