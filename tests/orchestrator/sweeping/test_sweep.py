"""A sweep from its space to its end, on a database file and a real study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from db.states import TrialRole
from db.states import TrialState as Row
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.space import Budget
from tests.orchestrator.sweeping.invariants import assert_finished
from tests.orchestrator.sweeping.laboratory import Bench, Heard
from tests.orchestrator.sweeping.spaces import large_space, make_space
from tests.support.hosts import make_host, make_rig
from tests.support.scripted_pool import ScriptedPool, served_by
from tests.support.surfaces import Truth, plain, redirecting
from workers.contract.errors import OrchestrateError
from workers.contract.reports import RigReport


def test_a_small_space_is_measured_whole_and_ends(database: Path) -> None:
    bench = Bench.make(database, make_space())
    pool = ScriptedPool(bench.host)
    heard = bench.run(pool)
    left = assert_finished(bench)
    assert len(left.trials) == len(heard.ended) == 6
    assert set(pool.measured.values()) == {1}


@pytest.mark.parametrize("trials", [7, 9])
def test_the_baseline_is_measured_first(database: Path, trials: int) -> None:
    """Whether it was opened at once or, where baselines would eat the budget, on demand."""
    bench = Bench.make(database, large_space(trials))
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    left = assert_finished(bench)
    roles = [trial.role for trial in left.trials]
    assert roles[:2] == [TrialRole.BASELINE] * 2
    assert roles.count(TrialRole.BASELINE) == len({t.candidate.model for t in left.trials})
    speeds = [run.candidate for run in served_by(pool)]
    for run in pool.runs:
        first = next(other for other in speeds if other.model == run.candidate.model)
        assert (first.spec, first.kv) == ("none", "f16/f16")


@pytest.mark.parametrize("trials", [1, 2, 3, 7])
def test_the_budget_counts_trials_of_each_rig(database: Path, trials: int) -> None:
    rigs = [make_rig("a"), make_rig("b", card="NVIDIA GeForce RTX 3090")]
    bench = Bench.make(database, large_space(trials), rigs)
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    assert [len(left.of("a")), len(left.of("b"))] == [trials, trials]


def test_a_text_is_scored_once_for_all_candidates_that_share_it(database: Path) -> None:
    bench = Bench.make(database, large_space(trials=16))
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    assert_finished(bench)
    scored = [run.candidate for run in pool.runs if Facet.PERPLEXITY in run.facets]
    assert len(scored) == len({(c.model, c.kv) for c in scored})


def test_what_the_sampler_repeats_costs_no_budget(database: Path) -> None:
    """Of 13 candidates 12 may be tried: past its first ten the sampler has to repeat itself."""
    n_max = "spec: [draft-dflash], n_max: [1, 2, 3, 4, 5, 6]"
    bench = Bench.make(database, make_space(f"kv: [f16/f16, q8_0/q8_0], {n_max}", trials=12))
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    left = assert_finished(bench)
    assert len(left.trials) == 12
    assert sum(key[0] is Facet.THROUGHPUT for key in pool.measured) == 12


def test_draft_lengths_beyond_the_drafters_block_are_one_launch(database: Path) -> None:
    space = make_space("spec: [draft-dflash], n_max: {min: 5, max: 12}")
    bench = Bench.make(database, space)
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    left = assert_finished(bench)
    assert sorted(t.candidate.n_max or 0 for t in left.trials if t.candidate.drafts)[:3] == [
        5,
        6,
        7,
    ]
    assert len([trial for trial in left.trials if trial.candidate.drafts]) == 3
    assert sum(key[0] is Facet.THROUGHPUT for key in pool.measured) == 4


def test_one_file_under_two_names_is_one_model(database: Path) -> None:
    space = make_space("model: [small, copy], spec: [none, draft-dflash]", fixed="drafter: draft")
    bench = Bench(database, space, make_host(space, same_file={"copy": "small"}))
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    left = assert_finished(bench)
    assert set(pool.measured.values()) == {1}
    assert len(pool.measured) == 3  # two launches, one perplexity
    assert {t.candidate.model for t in left.trials if t.role is TrialRole.SEARCH} == {
        left.trials[-1].candidate.model
    }


@pytest.mark.parametrize("odd, done", [("q8_0/q5_1", "q8_0"), ("q8_0/q8_0", "q5_1")])
def test_a_launch_that_turns_out_to_be_a_known_one_is_replayed(
    database: Path, odd: str, done: str
) -> None:
    """The engine redirects one KV pair to another, as some builds do.

    Whichever of the two comes first: the other is found out by its launch, or has no need of one.
    """
    space = make_space("kv: [f16/f16, q8_0/q8_0, q8_0/q5_1], spec: [draft-dflash], n_max: [2]")
    bench = Bench.make(database, space)
    pool = ScriptedPool(bench.host, redirecting(lambda c: c.kv == odd, {"kv_v": done}))
    heard = bench.run(pool)
    left = assert_finished(bench)
    drafting = [trial for trial in left.trials if trial.candidate.drafts]
    (replayed,) = [trial for trial in drafting if trial.state is Row.REPLAYED]
    original = next(trial for trial in drafting if trial.id == replayed.same_as)
    assert {original.candidate.kv, replayed.candidate.kv} == {"q8_0/q8_0", "q8_0/q5_1"}
    assert left.study_trial(replayed).values == left.study_trial(original).values
    assert [ended.same_as for ended in heard.ended if ended.same_as] == [original.id]
    throughputs = [key for key in pool.measured if key[0] is Facet.THROUGHPUT]
    assert len(throughputs) == 3  # the baseline, f16/f16, and one for the other two
    launched = [run for run in served_by(pool) if run.candidate.kv_k == "q8_0"]
    assert len(launched) == (2 if replayed.candidate.kv == odd else 1)


def test_limits_are_told_with_how_far_they_are_broken(database: Path) -> None:
    bench = Bench.make(database, make_space(constraints="['tok_s >= 100', 'ctx <= 8192']"))
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    for trial in left.trials:
        told = left.study_trial(trial)
        assert told.constraints["tok_s >= 100"] == pytest.approx(100 - told.values[0])
        assert told.constraints["ctx <= 8192"] < 0
    slow = [trial for trial in left.trials if not trial.candidate.drafts]
    assert all("tok_s >= 100" in left.study_trial(t).user_attrs["violations"] for t in slow)


def test_an_objective_that_a_candidate_has_no_number_for_is_a_broken_limit(database: Path) -> None:
    bench = Bench.make(database, make_space(objectives="{tok_s: maximize, acceptance: maximize}"))
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    for trial in left.trials:
        told = left.study_trial(trial)
        assert trial.state is Row.COMPLETE
        assert ("acceptance is measured" in told.constraints) is not trial.candidate.drafts
        assert told.values[0] > 0


def test_a_facet_may_be_measured_and_tell_no_number(database: Path) -> None:
    """A rig whose driver tells no memory: looked at once, not by every sweep."""
    objectives, measure = "{tok_s: maximize}", "measure: {memory: {}}"
    bench = Bench.make(database, make_space(objectives=objectives, measure=measure))
    other = make_space(objectives=objectives, measure=measure, name="other")

    def mute(candidate: Candidate, rig: RigReport) -> Truth:
        return replace(plain(candidate, rig), memory_mib=None)

    bench.run(ScriptedPool(bench.host, mute))
    again = ScriptedPool(bench.host, mute)
    replace(bench, space=other).run(again)
    assert_finished(replace(bench, space=other))
    assert again.runs == []


def test_a_baseline_that_the_axes_cannot_express_is_measured_outside_of_the_study(
    database: Path,
) -> None:
    """Everything drafts, and the baseline does not."""
    space = make_space("n_max: [2, 4, 6]", fixed="model: small, drafter: draft, spec: draft-dflash")
    bench = Bench.make(database, space)
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    baseline, *others = left.trials
    assert (baseline.role, baseline.number, baseline.candidate.spec) == (
        TrialRole.BASELINE,
        None,
        "none",
    )
    assert [trial.number for trial in others] == [0, 1, 2]


def test_a_forbidden_baseline_is_measured_all_the_same(database: Path) -> None:
    bench = Bench.make(database, make_space(forbid="[spec == 'none']"))
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    assert left.trials[0].role is TrialRole.BASELINE
    assert left.trials[0].state is Row.COMPLETE
    assert all(trial.candidate.drafts for trial in left.trials[1:])


def test_only_speed_and_one_loss_let_slow_candidates_stop_early(database: Path) -> None:
    bench = Bench.make(database, make_space())
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    assert max(run.to_beat for run in pool.runs) > 0
    baselines = [
        run for run in pool.runs if not run.candidate.drafts and run.candidate.kv_k == "f16"
    ]
    assert {run.to_beat for run in baselines} == {0}


def test_with_a_limit_nothing_stops_early(database: Path) -> None:
    bench = Bench.make(database, make_space(constraints="['mem_peak_mib <= 9999']"))
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    assert {run.to_beat for run in pool.runs} == {0}


def test_candidates_of_other_contexts_are_no_points_to_beat(database: Path) -> None:
    bench = Bench.make(database, make_space("ctx: [1024, 2048, 4096, 8192]"))
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    assert_finished(bench)
    assert {run.to_beat for run in pool.runs} == {0}


def test_a_taken_rig_ends_the_sweep_with_a_sentence(database: Path) -> None:
    bench = Bench.make(database, make_space())
    pool = ScriptedPool(bench.host, refuse="Rig rtx is in use by another sweep.")
    with pytest.raises(OrchestrateError, match="in use by another sweep"):
        bench.run(pool)
    assert pool.stopped == 1
    assert bench.left().sweep.state == "interrupted"


def test_the_listener_hears_every_trial_and_how_many_are_left(database: Path) -> None:
    bench = Bench.make(database, large_space(trials=6))
    heard = bench.run(ScriptedPool(bench.host), Heard())
    assert [tally.done for tally in heard.tallies] == [1, 2, 3, 4, 5, 6]
    assert heard.tallies[-1].left == 0


def test_one_candidate_without_any_axis_is_a_sweep_too(database: Path) -> None:
    """What `orchestrate measure` runs: the candidate, and its baseline beside it."""
    fixed = "model: small, drafter: draft, spec: draft-dflash, n_max: 4"
    bench = Bench.make(database, make_space("", fixed=fixed, trials=4))
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    assert [(trial.role, trial.number) for trial in left.trials] == [
        (TrialRole.BASELINE, None),
        (TrialRole.SEARCH, 0),
    ]


def test_a_sweep_out_of_time_ends_what_it_has_begun(database: Path) -> None:
    space = large_space(trials=16)
    hurry = space.model_copy(update={"budget": Budget(trials=16, minutes=1e-9)})
    bench = Bench.make(database, hurry)
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    assert [trial.role for trial in left.trials] == [TrialRole.BASELINE] * 3
