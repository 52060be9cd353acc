"""The search: what it tries next, when it stops, and that its answer is right."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.analysis.ceiling.attempt import Attempt, Cause
from orchestrator.analysis.ceiling.grid import Grid
from orchestrator.analysis.ceiling.search import Search
from orchestrator.analysis.ceiling.verdict import Limit, judge
from tests.orchestrator.analysis.ceiling.machines import Machine, look

STEP, TOP = 1024, 262_144
GRID = Grid(STEP, TOP)
contexts = st.integers(min_value=STEP, max_value=TOP - STEP)
guesses = st.none() | st.integers(min_value=1, max_value=2 * TOP)


def found(machine: Machine, guess: int | None = None) -> Search:
    """A search that has ended."""
    search = Search(GRID, guess)
    look(search, machine)
    return search


@given(contexts, guesses)
def test_a_memory_limit_is_found_whatever_was_guessed(limit: int, guess: int | None) -> None:
    verdict = judge(found(Machine(memory=limit), guess), TOP)
    assert (verdict.limit, verdict.ctx_max) == (Limit.MEMORY, limit // STEP * STEP)
    assert verdict.above == verdict.ctx_max + STEP and verdict.finished


@given(contexts, contexts, guesses)
def test_a_bug_below_the_memory_limit_is_called_a_bug(a: int, b: int, guess: int | None) -> None:
    bug, memory = sorted((a, b))
    verdict = judge(found(Machine(memory=memory, bug=bug), guess), TOP)
    same = bug // STEP == memory // STEP  # then the first context above fails for memory
    assert verdict.limit is (Limit.MEMORY if same else Limit.ENGINE)
    assert verdict.ctx_max == bug // STEP * STEP


@given(contexts, contexts, st.integers(0, 10_000), guesses)
def test_a_flaky_zone_never_makes_the_answer_too_short(
    a: int, b: int, seed: int, guess: int | None
) -> None:
    steady, bug = sorted((a, b))
    machine = Machine(bug=bug, steady=steady, rng=random.Random(seed))
    verdict = judge(found(machine, guess), TOP)
    assert steady // STEP * STEP <= verdict.ctx_max <= bug // STEP * STEP


@given(guesses)
def test_what_runs_at_the_longest_context_is_limited_by_the_model(guess: int | None) -> None:
    search = found(Machine(), guess)
    assert judge(search, TOP).limit is Limit.MODEL
    assert judge(search, None).limit is Limit.ASKED


def test_an_exact_prediction_needs_three_launches() -> None:
    search = Search(GRID, guess=122_880)
    assert look(search, Machine(memory=122_880)) == 3  # the prediction, one step on, once more


def test_the_prediction_comes_first_then_one_step_on() -> None:
    search = Search(GRID, guess=122_900)
    assert search.next() == 122_880
    search.learn(Attempt(122_880))
    assert search.next() == 123_904


def test_a_failure_of_memory_steps_down_once() -> None:
    search = Search(GRID, guess=122_880)
    search.learn(Attempt(122_880, Cause.MEMORY))
    assert search.next() == 121_856


def test_a_crash_where_memory_was_expected_halves_what_is_below() -> None:
    search = Search(GRID, guess=122_880)
    search.learn(Attempt(122_880, Cause.ENGINE))
    assert search.next() == 61_440


def test_what_may_be_chance_is_tried_again_on_both_sides() -> None:
    search = Search(Grid(STEP, 2 * STEP), attempts=3)
    machine = Machine(bug=STEP)
    look(search, machine)
    assert [len(search.seen[number]) for number in (1, 2)] == [3, 3]


def test_a_flaky_context_is_counted() -> None:
    search = Search(Grid(STEP, 2 * STEP))
    for cause in (Cause.ENGINE, None):
        search.learn(Attempt(2 * STEP, cause))
    look(search, Machine(bug=STEP))
    verdict = judge(search, None)
    assert (verdict.limit, verdict.above) == (Limit.FLAKY, 2 * STEP)
    assert (verdict.passed, verdict.tries) == (1, 2)


def test_a_hang_counts_as_an_attempt() -> None:
    verdict = judge(found(Machine(bug=50_000, hangs=True)), TOP)
    assert (verdict.limit, verdict.ctx_max, verdict.tries) == (Limit.ENGINE, 49_152, 3)


def test_what_fails_at_any_context_ends_the_search_at_once() -> None:
    search = Search(GRID, guess=122_880)
    search.learn(Attempt(122_880, Cause.UNRELATED, evidence="wrong number of tensors"))
    assert search.next() is None
    assert judge(search, TOP).limit is Limit.UNRELATED


def test_nothing_that_runs_is_a_ceiling_of_zero() -> None:
    verdict = judge(found(Machine(bug=0)), TOP)
    assert (verdict.limit, verdict.ctx_max, verdict.above) == (Limit.ENGINE, 0, STEP)


def test_attempts_at_another_step_are_used() -> None:
    search = Search(Grid(4096, 32_768))
    search.learn(Attempt(17_000))  # so 16,384 works
    search.learn(Attempt(21_000, Cause.MEMORY))  # so 24,576 does not
    assert (search.low, search.high) == (4, 6)


def test_an_interrupted_search_says_that_it_is_not_finished() -> None:
    search = Search(GRID)
    search.learn(Attempt(131_072))
    verdict = judge(search, TOP)
    assert (verdict.limit, verdict.ctx_max, verdict.finished) == (Limit.UNKNOWN, 131_072, False)


def test_nothing_is_left_when_it_is_certain() -> None:
    assert found(Machine(memory=100_000), 100_000).most_left == 0
