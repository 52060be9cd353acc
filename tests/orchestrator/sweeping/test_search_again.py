"""A study that another process takes up."""

from __future__ import annotations

import optuna
import pytest
from optuna.trial import TrialState

from orchestrator.sweeping.verdict import FAILED, Verdict, failed
from search_spaces.candidate import Candidate
from tests.orchestrator.sweeping.searching import Desk, number_of
from tests.orchestrator.sweeping.spaces import large_space, make_space
from workers.contract.errors import OrchestrateError


def test_what_was_forgotten_comes_again_in_the_next_run() -> None:
    desk = Desk(make_space())
    first = desk.search.ask()
    desk.search.forget(number_of(first))
    told = {number_of(p): p.candidate for p in desk.drain()}
    assert first is not None
    assert [p.candidate for p in desk.again(told).drain()] == [first.candidate]


def test_a_trial_is_told_once() -> None:
    desk = Desk(make_space())
    number = number_of(desk.search.ask())
    desk.search.tell(number, Verdict((40.0, 9.0)))
    desk.search.tell(number, Verdict((50.0, 9.0)))
    desk.search.forget(number)
    assert desk.stored()[number].values == [40.0, 9.0]


def test_another_process_tells_what_was_told_already_without_harm() -> None:
    desk = Desk(make_space())
    proposal = desk.search.ask()
    number = number_of(proposal)
    desk.search.tell(number, failed(desk.space, "out of memory"))
    assert proposal is not None
    again = desk.again({number: proposal.candidate})
    again.search.tell(number, failed(desk.space, "out of memory"))
    assert [trial.number for trial in again.stored()] == [number]


def test_another_process_goes_on_where_a_verdict_was_half_told() -> None:
    desk = Desk(make_space())
    proposal = desk.search.ask()
    number = number_of(proposal)
    half = optuna.load_study(study_name="study", storage=desk.storage)
    optuna.trial.Trial(half, half.trials[number]._trial_id).set_constraint(FAILED, 1.0)
    assert proposal is not None
    again = desk.again({number: proposal.candidate})
    again.search.tell(number, failed(desk.space, "out of memory"))
    told = again.stored()[number]
    assert (told.state, told.constraints) == (TrialState.COMPLETE, {FAILED: 1.0})


def test_another_process_forgets_what_was_begun_and_never_recorded() -> None:
    desk = Desk(make_space())
    first, second = desk.search.ask(), desk.search.ask()
    assert first is not None and second is not None
    again = desk.again({number_of(first): first.candidate})
    assert [t.state for t in again.stored()] == [TrialState.RUNNING, TrialState.FAIL]
    asked = [proposal.candidate for proposal in again.drain()]
    assert second.candidate in asked
    assert first.candidate not in asked


def test_another_process_asks_on_within_the_same_design() -> None:
    desk = Desk(large_space(), trials=6)
    first = {number_of(p): p.candidate for p in (desk.search.ask(), desk.search.ask()) if p}
    whole = [p.candidate for p in Desk(large_space(), trials=6).drain(4)]
    rest = [p.candidate for p in desk.again(first).drain(2)]
    assert [*first.values(), *rest] == whole


def test_a_study_that_lacks_what_is_recorded_is_refused() -> None:
    """Somebody deleted the study: going on would give its numbers to other candidates."""
    with pytest.raises(OrchestrateError, match="lacks trial 3 and 1 more"):
        Desk(make_space(), recorded={3: Candidate(model="small"), 5: Candidate(model="big")})
