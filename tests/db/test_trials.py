"""What becomes of a trial, and what the study does not know yet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from db.database import Database
from db.errors import DatabaseError
from db.rows import SweepRow, TrialCounts
from db.states import TrialRole, TrialState
from search_spaces.metrics import Facet
from tests.db.scenes import add_trial, run_job, start_sweep
from tests.support.outcomes import CANDIDATE, RIG, make_failed, make_job

MEMO = {Facet.THROUGHPUT: "t-1", Facet.PERPLEXITY: "p-1"}


@pytest.fixture
def sweep(database: Database) -> SweepRow:
    """A sweep that has just begun."""
    return start_sweep(database)


def test_a_new_trial_waits_for_its_facets(database: Database, sweep: SweepRow) -> None:
    resolved = make_job().resolved
    trial = database.trials.add(
        sweep.id, RIG.name, CANDIDATE, TrialRole.SEARCH, number=3, resolved=resolved, memo=MEMO
    )
    assert trial.candidate == CANDIDATE
    assert (trial.asked_key, trial.resolved_key) == (CANDIDATE.asked_key, resolved.key)
    assert (trial.number, trial.rig, trial.role) == (3, RIG.name, TrialRole.SEARCH)
    assert (trial.state, trial.told, trial.ended) == (TrialState.WAITING, False, None)
    assert trial.memo == MEMO
    assert database.trials.list(sweep.id) == (trial,)


def test_adding_a_number_again_returns_the_trial(database: Database, sweep: SweepRow) -> None:
    assert add_trial(database, sweep, 1) == add_trial(database, sweep, 1)


def test_a_number_cannot_change_its_candidate(database: Database, sweep: SweepRow) -> None:
    add_trial(database, sweep, 1)
    with pytest.raises(DatabaseError, match="trial 1 on rtx5090 is already recorded with another"):
        add_trial(database, sweep, 1, replace(CANDIDATE, ctx=8192))


def test_trials_outside_a_study_have_no_number(database: Database, sweep: SweepRow) -> None:
    first = add_trial(database, sweep, None, role=TrialRole.BASELINE)
    assert add_trial(database, sweep, None, role=TrialRole.BASELINE).id != first.id


def test_linking_a_facet_again_replaces_its_key(database: Database, sweep: SweepRow) -> None:
    trial = add_trial(database, sweep, memo=MEMO)
    database.trials.link(trial.id, {Facet.THROUGHPUT: "t-2", Facet.MEMORY: "m-2"})
    assert database.trials.get(trial.id).memo == {
        Facet.THROUGHPUT: "t-2",
        Facet.MEMORY: "m-2",
        Facet.PERPLEXITY: "p-1",
    }


def test_flags_are_kept_in_order_and_once(database: Database, sweep: SweepRow) -> None:
    trial = add_trial(database, sweep)
    database.trials.flag(trial.id, ["noisy", "drift"])
    database.trials.flag(trial.id, ["noisy", "hot"])
    assert database.trials.get(trial.id).flags == ("noisy", "drift", "hot")


def test_a_trial_is_found_by_any_of_its_keys(database: Database, sweep: SweepRow) -> None:
    trial = add_trial(database, sweep)
    database.trials.set_effective(trial.id, "effective-key")
    for prefix in (trial.asked_key[:6], "effective"):
        assert [t.id for t in database.trials.by_key(sweep.id, prefix)] == [trial.id]
    assert database.trials.by_key(sweep.id, "%") == ()


def test_a_failed_trial_names_the_job(database: Database, sweep: SweepRow) -> None:
    trial = add_trial(database, sweep)
    run_job(database, make_failed(make_job()))
    database.trials.fail(trial.id, "job-1")
    failed = database.trials.get(trial.id)
    assert (failed.state, failed.failed_by) == (TrialState.FAILED, "job-1")
    assert failed.ended is not None


def test_a_replayed_trial_takes_over_the_links(database: Database, sweep: SweepRow) -> None:
    origin = add_trial(database, sweep, 0, memo=MEMO)
    replayed = add_trial(database, sweep, 1, memo={Facet.THROUGHPUT: "mine"})
    database.trials.replay(replayed.id, origin.id)
    row = database.trials.get(replayed.id)
    assert (row.state, row.same_as, row.memo) == (TrialState.REPLAYED, origin.id, MEMO)


def test_a_chain_of_replays_ends_at_the_measured_trial(database: Database, sweep: SweepRow) -> None:
    first, second, third = (add_trial(database, sweep, number) for number in range(3))
    database.trials.replay(second.id, first.id)
    database.trials.replay(third.id, second.id)
    assert database.trials.get(third.id).same_as == first.id


def test_a_trial_is_not_its_own_origin(database: Database, sweep: SweepRow) -> None:
    first, second = add_trial(database, sweep, 0), add_trial(database, sweep, 1)
    database.trials.replay(second.id, first.id)
    with pytest.raises(DatabaseError, match="cannot be the same as itself"):
        database.trials.replay(first.id, second.id)


def test_the_replay_of_a_failure_is_that_failure(database: Database, sweep: SweepRow) -> None:
    origin, replayed = add_trial(database, sweep, 0), add_trial(database, sweep, 1)
    run_job(database, make_failed(make_job()))
    database.trials.fail(origin.id, "job-1")
    database.trials.replay(replayed.id, origin.id)
    assert database.trials.get(replayed.id).failed_by == "job-1"


def test_only_ended_trials_of_the_study_are_to_be_told(database: Database, sweep: SweepRow) -> None:
    waiting, complete, told = (add_trial(database, sweep, number) for number in range(3))
    baseline = add_trial(database, sweep, None)
    for trial in (complete, told, baseline):
        database.trials.complete(trial.id)
    database.trials.told(told.id)
    assert [t.id for t in database.trials.untold(sweep.id)] == [complete.id]
    assert waiting.state is TrialState.WAITING


def test_two_trials_can_wait_for_one_measurement(database: Database, sweep: SweepRow) -> None:
    first, second = (add_trial(database, sweep, number, memo=MEMO) for number in range(2))
    done = add_trial(database, sweep, 2, memo=MEMO)
    database.trials.complete(done.id)
    assert [t.id for t in database.trials.waiting_for("p-1")] == [first.id, second.id]


def test_trials_are_counted_by_rig_and_state(database: Database, sweep: SweepRow) -> None:
    trials = [add_trial(database, sweep, number) for number in range(4)]
    database.trials.complete(trials[0].id)
    database.trials.replay(trials[1].id, trials[0].id)
    counts = database.trials.counts(sweep.id)
    assert counts == {RIG.name: TrialCounts(waiting=2, complete=1, replayed=1)}
    assert counts[RIG.name].total == 4


@pytest.mark.parametrize("change", ["complete", "told", "get"])
def test_an_unknown_trial_is_an_error(database: Database, change: str) -> None:
    with pytest.raises(DatabaseError, match="there is no trial with id 99"):
        getattr(database.trials, change)(99)
