"""Goals that refer to a baseline: known when a trial is told, or a clear reason why not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from optuna.trial import TrialState

from db.rows import TrialRow
from db.states import TrialRole
from db.states import TrialState as Row
from orchestrator.sweeping.derived import BASELINE_FAILED
from orchestrator.sweeping.ledger import Fault as LedgerFault
from orchestrator.sweeping.records import Records
from orchestrator.sweeping.trial import OpenTrial
from orchestrator.sweeping.verdict import FAILED
from search_spaces.metrics import Facet
from search_spaces.space import Budget, Space
from tests.orchestrator.sweeping.invariants import assert_finished
from tests.orchestrator.sweeping.killing import Killed
from tests.orchestrator.sweeping.laboratory import Bench, Left
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_host, make_rig
from tests.support.scripted_pool import Fault, ScriptedPool
from tests.support.surfaces import KV_LOSS, failing
from workers.contract.job import Job


def relative_space(**how: str) -> Space:
    """Speed-up against perplexity change, and a limit on the latter."""
    return make_space(
        "model: [small, big], kv: [f16/f16, q8_0/q8_0, q4_0/q4_0], spec: [none, draft-dflash]",
        fixed="drafter: draft, n_max: 4",
        **{
            "objectives": "{speedup: maximize, ppl_delta_pct: minimize}",
            "constraints": "['ppl_delta_pct <= 1']",
            **how,
        },
    )


def of_model(left: Left, model: str) -> list[TrialRow]:
    """One model's trials."""
    return [trial for trial in left.trials if trial.candidate.model == model]


def test_every_trial_is_told_against_the_baseline_of_its_model(database: Path) -> None:
    bench = Bench.make(database, relative_space())
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    assert len(left.trials) == 12
    for trial in left.trials:
        speedup, change = left.study_trial(trial).values
        assert speedup == pytest.approx(1.8 if trial.candidate.drafts else 1.0, rel=0.05)
        loss = KV_LOSS[trial.candidate.kv_k] + KV_LOSS[trial.candidate.kv_v]
        assert change == pytest.approx(100 * loss, abs=1e-6)


def test_a_baseline_is_told_as_exactly_itself(database: Path) -> None:
    bench = Bench.make(database, relative_space())
    bench.run(ScriptedPool(bench.host))
    left = bench.left()
    baselines = [trial for trial in left.trials if trial.role is TrialRole.BASELINE]
    assert [left.study_trial(trial).values for trial in baselines] == [[1.0, 0.0], [1.0, 0.0]]


def test_limits_see_derived_metrics(database: Path) -> None:
    bench = Bench.make(database, relative_space())
    bench.run(ScriptedPool(bench.host))
    left = bench.left()
    for trial in left.trials:
        told = left.study_trial(trial)
        assert told.constraints["ppl_delta_pct <= 1"] == pytest.approx(told.values[1] - 1)
        assert ("violations" in told.user_attrs) is (trial.candidate.kv == "q4_0/q4_0")


def test_a_derived_limit_needs_no_derived_objective(database: Path) -> None:
    bench = Bench.make(database, relative_space(objectives="{tok_s: maximize}"))
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    assert all("ppl_delta_pct <= 1" in left.study_trial(t).constraints for t in left.trials)


TWO_RIGS = [make_rig("a"), make_rig("b", card="NVIDIA GeForce RTX 3090")]


def scores_a_baseline(job: Job) -> bool:
    """The perplexity of a baseline, which another rig's trials wait for."""
    candidate = job.resolved.candidate
    return Facet.PERPLEXITY in job.facets and candidate.kv == "f16/f16"


def test_a_trial_waits_for_a_baseline_that_another_rig_scores(database: Path) -> None:
    bench = Bench.make(database, relative_space(), TWO_RIGS)
    heard = bench.run(ScriptedPool(bench.host, slow=scores_a_baseline))
    assert_finished(bench)
    for rig in ("a", "b"):
        ended = [e for e in heard.ended if e.rig == rig]
        first = {e.candidate.model: e.is_baseline for e in reversed(ended)}
        assert first == {"small": True, "big": True}


def test_without_its_baseline_a_trial_fails_and_says_so(database: Path) -> None:
    bench = Bench.make(database, relative_space())
    pool = ScriptedPool(
        bench.host, failing(lambda c, r: c.model == "big" and c.spec == "none" and c.kv_k == "f16")
    )
    heard = bench.run(pool)
    left = assert_finished(bench)
    baseline, *others = sorted(
        of_model(left, "big"), key=lambda t: t.role is not TrialRole.BASELINE
    )
    assert {trial.state for trial in of_model(left, "small")} == {Row.COMPLETE}
    assert {trial.state for trial in others} == {Row.FAILED}
    assert {trial.failed_by for trial in others} == {baseline.failed_by}
    assert {trial.flags for trial in others} == {(BASELINE_FAILED,)}
    sentence = "its baseline failed on rtx (cudaMalloc failed: out of memory)"
    for trial in others:
        told = left.study_trial(trial)
        assert told.constraints[FAILED] == 1.0
        assert told.user_attrs["why"].startswith(sentence)
    said = [e.failure.evidence for e in heard.ended if e.failure]
    assert sum(text.startswith(sentence) for text in said) == len(others)


@pytest.mark.parametrize("again", [False, True], ids=["at-once", "after-a-restart"])
def test_a_baseline_that_ran_out_of_memory_says_nothing_of_longer_contexts(
    database: Path, again: bool
) -> None:
    """Each context has a baseline here: that of the short one fails, and others may fit."""
    space = make_space(
        "ctx: [1024, 8192], spec: [none, draft-dflash]",
        fixed="model: small, drafter: draft, n_max: 4",
        objectives="{speedup: maximize}",
        baseline="{fix: {spec: none}, per: [rig, model, ctx]}",
        trials=2 if again else 4,
    )
    bench = Bench.make(database, space)
    odd = failing(lambda c, r: c.ctx == 1024 and c.spec == "none")
    bench.run(ScriptedPool(bench.host, odd))
    if again:
        bench = replace(bench, space=space.model_copy(update={"budget": Budget(trials=4)}))
        bench.run(ScriptedPool(bench.host, odd))
    drafting = [trial for trial in assert_finished(bench).trials if trial.candidate.drafts]
    assert {(trial.candidate.ctx, trial.state) for trial in drafting} == {
        (1024, Row.FAILED),
        (8192, Row.COMPLETE),
    }


def test_nothing_more_is_measured_once_the_baseline_failed(database: Path) -> None:
    bench = Bench.make(database, relative_space())
    pool = ScriptedPool(bench.host, failing(lambda c, r: c.spec == "none" and c.kv_k == "f16"))
    bench.run(pool)
    assert_finished(bench)
    drafting = [run for run in pool.runs if run.candidate.drafts and Facet.THROUGHPUT in run.facets]
    assert drafting == []


def test_a_baseline_lost_to_the_machinery_teaches_nothing_and_is_asked_for_again(
    database: Path,
) -> None:
    bench = Bench.make(database, relative_space())
    lost = Fault(lambda job, before: job.resolved.candidate.spec == "none")
    bench.run(ScriptedPool(bench.host, faults=[lost]))
    told = {trial.state for trial in bench.left().studies["rtx"]}
    assert TrialState.FAIL in told
    assert TrialState.COMPLETE not in told
    bench.run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    whole = [trial for trial in left.trials if trial.state is Row.COMPLETE]
    assert len(whole) == 12


def test_trials_that_were_left_without_a_baseline_get_one_in_the_next_run(database: Path) -> None:
    """Killed when a lost baseline was recorded, and the trials that wait for it were not yet."""
    space = make_space(
        "kv: [f16/f16, q8_0/q8_0, q4_0/q4_0], spec: [none, draft-dflash]",
        fixed="model: small, drafter: draft, n_max: 4",
        objectives="{speedup: maximize, ppl_delta_pct: minimize}",
    )
    bench = Bench.make(database, space, TWO_RIGS)
    lost = Fault(lambda job, before: scores_a_baseline(job))
    record = Records.failed

    def record_and_die(self: Records, trial: OpenTrial, fault: LedgerFault) -> None:
        record(self, trial, fault)
        if trial.rig == "b":
            raise Killed

    with patch.object(Records, "failed", record_and_die), pytest.raises(Killed):
        bench.run(ScriptedPool(bench.host, faults=[lost], slow=scores_a_baseline))
    waiting = [trial for trial in bench.left().of("b") if trial.state is Row.WAITING]
    assert {trial.role for trial in waiting} == {TrialRole.SEARCH}
    small = space.model_copy(update={"budget": Budget(trials=1)})  # no trial is left to ask for
    replace(bench, space=small).run(ScriptedPool(bench.host))
    left = assert_finished(bench)
    whole = {trial.id for trial in left.of("b") if trial.state is Row.COMPLETE}
    assert {trial.id for trial in waiting} < whole


def test_a_baseline_that_cannot_run_here_excludes_what_refers_to_it(database: Path) -> None:
    space = relative_space()
    host = make_host(space, missing=["big"])
    plan = Bench(database, space, host).plan
    assert {assignment["model"] for assignment in plan.rigs[0].feasible} == {"small"}
    fixed = make_space(
        "spec: [draft-dflash], kv: [q8_0/q8_0]",
        baseline="{fix: {spec: none, model: absent}}",
        objectives="{speedup: maximize}",
    )
    plan = Bench(database, fixed, make_host(fixed, missing=["absent"])).plan
    assert plan.feasible == 0
    (why,) = plan.rigs[0].out
    assert why.rule == "baseline"
    assert "goals refer to it: no file absent" in why.reason


def test_points_to_beat_belong_to_one_baseline(database: Path) -> None:
    """`big` is slower in tok/s than `small` and may have the greater speed-up."""
    space = relative_space(constraints="[]")
    bench = Bench.make(database, space)
    pool = ScriptedPool(bench.host)
    bench.run(pool)
    assert_finished(bench)
    to_beat = {
        point.tok_s
        for job in pool.jobs
        for point in job.stop.to_beat
        if job.resolved.candidate.model == "big"
    }
    assert 0 < max(to_beat) < 90, "the points of small are above 100"
