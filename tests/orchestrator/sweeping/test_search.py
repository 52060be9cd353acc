"""What is asked of a study, and what it is told: on Optuna's own storage in memory."""

from __future__ import annotations

from typing import Any

import optuna
import pytest
from optuna.trial import TrialState

from orchestrator.sweeping.search import STARTUP
from orchestrator.sweeping.verdict import FAILED, Verdict, failed, worst_value
from search_spaces.parameters import candidate_of
from search_spaces.walk import assignments
from tests.orchestrator.sweeping.searching import Desk, number_of
from tests.orchestrator.sweeping.spaces import large_space, make_space


def test_a_small_space_is_asked_for_whole_and_once() -> None:
    desk = Desk(make_space())
    asked = [proposal.candidate for proposal in desk.drain()]
    assert len(asked) == len(set(asked)) == 6
    assert set(asked) == {candidate_of(a) for a in assignments(desk.space)}


def test_a_space_of_thousands_is_asked_for_whole_too() -> None:
    space = make_space("ctx: {min: 64, max: 2400}")
    desk = Desk(space, trials=3000)
    first = [desk.search.ask() for _ in range(2)]
    assert all(first)
    assert len(desk.search._queue) == 2337 - 2


def test_the_first_candidates_show_every_value_of_every_axis() -> None:
    desk = Desk(large_space(), trials=STARTUP * 2)
    first = [number_of(desk.search.ask()) for _ in range(STARTUP)]
    shown = [desk.stored()[number].params for number in first]
    assert {params["kv"] for params in shown} == set(desk.space.parameters["kv"])
    assert {params["model"] for params in shown} == set(desk.space.parameters["model"])
    assert {params.get("n_max") for params in shown} == {None, 1, 2, 3, 4, 5, 6, 7}


def test_the_sampler_goes_on_until_the_space_is_exhausted_and_stores_no_repeats() -> None:
    n_max = "spec: [draft-dflash], n_max: {min: 1, max: 7}"
    desk = Desk(make_space(f"kv: [f16/f16, q8_0/q8_0, q4_0/q4_0, q5_1/q5_1], {n_max}"), trials=26)
    asked = [proposal.candidate for proposal in desk.drain()]
    assert len(asked) == len(set(asked)) == len(desk.stored()) == 28


def test_what_repeats_an_open_trial_is_answered_together_with_it() -> None:
    drafting = "spec: [draft-dflash], n_max: {min: 1, max: 7}"
    desk = Desk(make_space(f"kv: [f16/f16, q8_0/q8_0], {drafting}"), trials=13)
    asked = [desk.search.ask() for _ in range(14)]
    assert desk.drawn_and_open() > len(asked), "nothing was repeated"
    for proposal in asked:
        desk.search.tell(number_of(proposal), Verdict((50.0, 10.0)))
    assert desk.drawn_and_open() == 0


def test_a_space_too_large_to_list_is_not_given_up_early() -> None:
    """Nine of ten candidates are out, and the sampler keeps proposing those."""
    desk = Desk(large_space(), 30, excluded=lambda c: c.n_max != 3, listed=False)
    asked = [proposal.candidate for proposal in desk.drain()]
    assert {candidate.n_max for candidate in asked} == {3}
    assert len(asked) == len(set(asked)) == 12


def test_what_is_excluded_is_never_asked_for() -> None:
    desk = Desk(large_space(), 90, excluded=lambda c: c.model == "huge" or c.n_max != 2)
    assert {(p.candidate.model, p.candidate.n_max) for p in desk.drain()} == {
        ("small", 2),
        ("big", 2),
    }


def test_two_names_of_one_launch_are_asked_for_once() -> None:
    clamped = lambda c: f"{c.kv} {c.spec} {min(c.n_max or 0, 4)}"  # noqa: E731
    desk = Desk(
        make_space("n_max: {min: 1, max: 9}", fixed="model: m, drafter: d, spec: draft"),
        identity=clamped,
    )
    assert sorted(p.candidate.n_max or 0 for p in desk.drain())[:3] == [1, 2, 3]
    assert len(desk.stored()) == 4


def test_a_candidate_may_be_asked_for_by_name_once() -> None:
    desk = Desk(large_space())
    assignment = {"drafter": "draft", "model": "big", "kv": "q4_0/q4_0", "spec": "none"}
    proposal = desk.search.ask_for(assignment)
    assert proposal is not None
    assert proposal.candidate == candidate_of(assignment)
    assert desk.stored()[number_of(proposal)].params == {
        "model": "big",
        "kv": "q4_0/q4_0",
        "spec": "none",
    }
    assert desk.search.ask_for(assignment) is None


@pytest.mark.parametrize(
    "change", [{"kv": "q8_0/f16"}, {"model": "other"}, {"ctx": 512}, {"n_max": 3}, {"threads": 2}]
)
def test_what_the_axes_cannot_express_is_no_trial_of_the_study(change: dict[str, Any]) -> None:
    desk = Desk(large_space())
    base = {"drafter": "draft", "model": "big", "kv": "q4_0/q4_0", "spec": "draft-dflash"}
    made = {**base, "n_max": 99, **change} if change != {"n_max": 3} else {**base, "spec": "odd"}
    assert desk.search.ask_for(made) is None
    assert desk.stored() == []


def test_a_verdict_is_stored_with_its_violations_and_reason() -> None:
    desk = Desk(make_space())
    number = number_of(desk.search.ask())
    desk.search.tell(number, Verdict((40.0, 9.0), {"ppl <= 8": 1.0, "ctx <= 9": -5.0}, "too far"))
    told = desk.stored()[number]
    assert (told.state, told.values) == (TrialState.COMPLETE, [40.0, 9.0])
    assert told.constraints == {"ppl <= 8": 1.0, "ctx <= 9": -5.0}
    assert told.user_attrs == {"violations": {"ppl <= 8": 1.0}, "why": "too far"}


def test_a_failure_is_told_as_a_violated_constraint_with_the_worst_values() -> None:
    desk = Desk(make_space(constraints="['ppl <= 8']"))
    number = number_of(desk.search.ask())
    desk.search.tell(number, failed(desk.space, "out of memory"))
    told = desk.stored()[number]
    assert told.state is TrialState.COMPLETE
    assert told.values == [worst_value(desk.space, name) for name in ("tok_s", "ppl")]
    assert told.constraints == {FAILED: 1.0, "ppl <= 8": 1.0}
    assert optuna.load_study(study_name="study", storage=desk.storage).best_trials == []


def test_what_is_forgotten_teaches_nothing_and_does_not_come_again_in_this_run() -> None:
    desk = Desk(make_space())
    first = desk.search.ask()
    desk.search.forget(number_of(first))
    assert desk.stored()[0].state is TrialState.FAIL
    assert first is not None
    assert first.candidate not in [proposal.candidate for proposal in desk.drain()]


@pytest.mark.filterwarnings("error::UserWarning")
def test_fractions_and_steps_come_back_as_they_are_written() -> None:
    space = make_space(
        "ctx: {min: 512, max: 4096, step: 512}, p_min: {min: 0.1, max: 0.9, step: 0.1}",
        fixed="model: small, drafter: draft, spec: draft-dflash, n_max: 4",
    )
    desk = Desk(space, trials=60)
    asked = [proposal.candidate for proposal in desk.drain(60)]
    assert {candidate.ctx % 512 for candidate in asked} == {0}
    assert {candidate.p_min for candidate in asked} <= set(space.parameters["p_min"])
    assert len(set(asked)) == 60


def test_other_goals_have_worst_values_of_their_own() -> None:
    space = make_space(objectives="{tok_s: maximize, ctx: maximize, ttft_ms: minimize}")
    assert failed(space, "").values == (0.0, 0.0, 1e6)
