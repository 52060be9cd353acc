"""What is asked of a study, and what it is told: on Optuna's own storage in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import optuna
import pytest
from optuna.trial import TrialState

from orchestrator.sweeping.search import STARTUP, Domain, Proposal, Search
from orchestrator.sweeping.study import Study
from orchestrator.sweeping.verdict import FAILED, Verdict, failed, worst_value
from search_spaces.candidate import Candidate
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.walk import Assignment, assignments, is_forbidden
from tests.orchestrator.sweeping.spaces import large_space, make_space
from workers.contract.errors import OrchestrateError


class Desk:
    """A search over a storage in memory; `again` is the next process."""

    def __init__(
        self,
        space: Space,
        trials: int = 40,
        *,
        excluded: Callable[[Candidate], bool] = lambda candidate: False,
        identity: Callable[[Candidate], str] = lambda candidate: candidate.asked_key,
        listed: bool = True,
        storage: optuna.storages.InMemoryStorage | None = None,
        recorded: dict[int, Candidate] | None = None,
    ) -> None:
        self.how: dict[str, Any] = {"excluded": excluded, "identity": identity, "listed": listed}
        self.space, self.trials = space, trials
        self.storage = storage or optuna.storages.InMemoryStorage()

        def why(assignment: Assignment) -> str | None:
            return "out" if excluded(candidate_of(assignment)) else is_forbidden(space, assignment)

        pool = [a for a in assignments(space) if not why(a)] if listed else None
        self.study = Study(self.storage, "study", space, seed=1)
        self.search = Search(self.study, Domain(space, why, identity, pool), trials, "seed")
        self.search.take_up(recorded or {})

    def again(self, recorded: dict[int, Candidate], trials: int | None = None) -> Desk:
        """What another process makes of the same storage."""
        return Desk(
            self.space,
            trials or self.trials,
            storage=self.storage,
            recorded=recorded,
            **self.how,
        )

    def stored(self) -> list[optuna.trial.FrozenTrial]:
        """Every trial that the storage holds."""
        return optuna.load_study(study_name="study", storage=self.storage).trials

    def drawn_and_open(self) -> int:
        """How many trials the sampler, in memory, believes to be running."""
        trials = self.study._memory.get_trials(states=(TrialState.RUNNING,))
        return len(trials)

    def drain(self, most: int = 200) -> list[Proposal]:
        """Asks until there is nothing left, and tells each one at once."""
        asked: list[Proposal] = []
        while len(asked) < most and (proposal := self.search.ask()) is not None:
            asked.append(proposal)
            self.search.tell(number_of(proposal), verdict_on(proposal.candidate))
        return asked


def number_of(proposal: Proposal | None) -> int:
    """Its number in the study."""
    assert proposal is not None
    assert proposal.number is not None
    return proposal.number


def verdict_on(candidate: Candidate) -> Verdict:
    """Something to tell: longer drafts are faster."""
    return Verdict((10.0 + (candidate.n_max or 0), 10.0))


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


@pytest.mark.filterwarnings("error::UserWarning")
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


def test_a_study_that_lacks_what_is_recorded_is_refused() -> None:
    """Somebody deleted the study: going on would give its numbers to other candidates."""
    with pytest.raises(OrchestrateError, match="lacks trial 3 and 1 more"):
        Desk(make_space(), recorded={3: Candidate(model="small"), 5: Candidate(model="big")})
