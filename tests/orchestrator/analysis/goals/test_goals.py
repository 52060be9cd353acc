"""Every goal: what it chooses, what it says where it cannot, and the words for both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.front import front_of
from orchestrator.analysis.goals import kinds
from orchestrator.analysis.goals.base import Absent, Field, Pick
from orchestrator.analysis.goals.plain import answer
from orchestrator.analysis.goals.registry import all_goals
from orchestrator.analysis.goals.words import told
from orchestrator.analysis.records import Measured
from orchestrator.analysis.words import Namer
from search_spaces.candidate import Candidate
from tests.orchestrator.analysis.points import TWO, blurred, exact
from workers.contract.reports import RigKind

LONG = Candidate(model="m", ctx=131072)


def choose(key: str, records: list[Measured]) -> Pick | Absent:
    comparer = Comparer(records)
    field = Field(tuple(records), front_of(records, TWO, comparer), comparer)
    (goal,) = (goal for goal in all_goals() if goal.key == key)
    return goal.choose(field)


def lines(made: Pick | Absent) -> list[str]:
    records = [] if isinstance(made, Absent) else [made.record]
    return list(told(made, Namer.of(record.candidate for record in records)))


def test_the_goals_are_told_in_their_order() -> None:
    keys = [goal.key for goal in all_goals()]
    assert keys == ["best", "fastest", "finest", "longest", "frugal", "draft"]


@pytest.mark.parametrize("goal", all_goals(), ids=lambda goal: goal.key)
def test_nothing_measured_is_said_by_every_goal(goal: object) -> None:
    made = choose(goal.key, [])  # type: ignore[attr-defined]
    assert isinstance(made, Absent) and made.reason


def test_the_longest_context_is_the_best_of_those_that_have_it() -> None:
    made = choose(
        "longest",
        [
            blurred(1, 0.01, tok_s=100, ppl=10),
            blurred(2, 0.01, LONG, tok_s=50, ppl=10),
            blurred(3, 0.01, replace(LONG, kv_k="q8_0"), tok_s=60, ppl=10),
        ],
    )
    assert isinstance(made, Pick)
    assert (made.record.trial_id, made.runner_up and made.runner_up.trial_id) == (3, 1)
    assert made.shown


def test_one_context_for_all_is_no_difference() -> None:
    made = choose("longest", [blurred(1, 0.01, tok_s=1, ppl=1), blurred(2, 0.01, tok_s=2, ppl=2)])
    assert lines(made) == ["Longest context: no difference: all have a context of 4,096 tokens."]


def test_the_lowest_energy_need_not_be_an_objective() -> None:
    made = choose(
        "frugal",
        [
            blurred(1, 0.01, tok_s=100, ppl=10, joules_per_token=3),
            blurred(2, 0.01, tok_s=90, ppl=11, joules_per_token=2),
        ],
    )
    assert isinstance(made, Pick)
    assert (made.record.trial_id, made.shown) == (2, True)
    assert "the fewest joules per token of 2 measured" in made.why


@pytest.mark.parametrize(
    ("kind", "why"),
    [(RigKind.CPU, "a CPU rig does not tell its power"), (RigKind.CUDA, "the rig told no power")],
)
def test_energy_that_was_not_measured_is_said(kind: RigKind, why: str) -> None:
    made = choose("frugal", [replace(blurred(1, 0.01, tok_s=1, ppl=1), rig_kind=kind)])
    assert lines(made) == [f"Lowest energy: energy was not measured: {why}."]


def test_a_lead_inside_the_noise_is_told_as_no_difference() -> None:
    made = choose("fastest", [blurred(1, 0.1, tok_s=100, ppl=9), blurred(2, 0.1, tok_s=99, ppl=9)])
    assert "tok_s 1.01× (0.88× to 1.16×) [no difference shown]" in lines(made)[-1]


def test_a_clear_lead_is_told_without_that_remark() -> None:
    made = choose(
        "fastest", [blurred(1, 0.01, tok_s=100, ppl=9), blurred(2, 0.01, tok_s=50, ppl=8)]
    )
    assert "tok_s 2.00× (1.97× to 2.03×), " in lines(made)[-1]


def test_a_lone_candidate_has_no_runner_up() -> None:
    assert lines(choose("best", [exact(1, tok_s=1, ppl=1)]))[-1] == "Next: there is no other."


def test_plain_data_says_whether_a_difference_shows() -> None:
    made = choose("fastest", [blurred(1, 0.1, tok_s=100, ppl=9), blurred(2, 0.1, tok_s=99, ppl=9)])
    data = answer(made)
    assert data["difference_shown"] is False
    assert data["against_runner_up"][0]["verdict"] == "tie"
    assert answer(choose("frugal", []))["candidate"] is None


def test_every_goal_has_a_file_of_its_own() -> None:
    modules = {type(goal).__module__ for goal in all_goals()}
    assert len(modules) == len(all_goals())
    assert all(module.startswith(kinds.__name__) for module in modules)
