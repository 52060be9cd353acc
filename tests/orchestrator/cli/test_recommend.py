"""`orchestrate recommend`: each goal with its numbers, under limits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.orchestrator.cli.calling import Caller
from tests.orchestrator.cli.scenes import Scene


def test_each_goal_has_numbers_a_reason_and_a_runner_up(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("recommend", "--storage", swept.storage)
    assert (said.code, said.err) == (0, "")
    head, *goals = said.out.split("\n\n")
    assert head == "rtx: 5 of 5 measured candidates within the limits."
    best = goals[0].splitlines()
    assert best[0].startswith("Best balance: K/V ")
    assert "tok/s (" in best[1]
    assert [line.split()[0] for line in best[2:4]] == ["Why:", "Next:"]


def test_json_has_an_answer_for_every_goal(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("recommend", "--storage", swept.storage, "--json")
    (rig,) = json.loads(said.out)["rigs"]
    goals = {goal["goal"]: goal for goal in rig["goals"]}
    assert list(goals) == ["best", "fastest", "finest", "longest", "frugal", "draft"]
    assert goals["best"]["candidate"]["metrics"]["tok_s"]["low"] > 0
    assert goals["longest"]["candidate"] is None


def test_nothing_within_the_limits_names_the_one_that_excludes_most(
    orchestrate: Caller, swept: Scene
) -> None:
    said = orchestrate("recommend", "--storage", swept.storage, "--min-ctx", "120000")
    assert said.code == 3
    assert said.sentence.startswith(
        "None of 5 measured candidates is within the limits: --min-ctx 120000 excludes most, 5"
    )


def test_json_is_whole_also_when_nothing_is_within_the_limits(
    orchestrate: Caller, swept: Scene
) -> None:
    limits = ("--min-ctx", "1k", "--max-ppl-delta", "-99%")
    said = orchestrate("recommend", "--storage", swept.storage, "--json", *limits)
    assert said.code == 3
    assert json.loads(said.out)["rigs"][0]["within_limits"] == 0


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        ("--vram-headroom", "1", "1GiB"),
        ("--min-ctx", "many", "120000"),
        ("--max-ppl-delta", "0.5", "0.5%"),
    ],
)
def test_a_limit_without_its_unit_is_refused(
    orchestrate: Caller, swept: Scene, option: str, value: str, hint: str
) -> None:
    said = orchestrate("recommend", "--storage", swept.storage, option, value)
    assert said.code == 2
    assert repr(value) in said.sentence
    assert hint in said.sentence


def test_a_rig_that_the_sweep_does_not_have_is_refused(orchestrate: Caller, swept: Scene) -> None:
    said = orchestrate("recommend", "--storage", swept.storage, "--rig", "rtz")
    assert (said.code, "Did you mean 'rtx'?" in said.sentence) == (2, True)


def test_simulated_numbers_are_said_to_be(orchestrate: Caller, simulated: Scene) -> None:
    said = orchestrate("recommend", "--storage", simulated.storage)
    assert said.out.startswith("Simulated: ")


def test_an_empty_database_is_said(orchestrate: Caller, empty: Path) -> None:
    assert "holds no sweeps" in orchestrate("recommend", "--storage", empty).sentence
