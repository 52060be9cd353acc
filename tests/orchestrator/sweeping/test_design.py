"""The first candidates of a search."""

from __future__ import annotations

import itertools
import random

from orchestrator.sweeping.design import covering, random_assignment, whole
from search_spaces.parameters import candidate_of
from search_spaces.walk import assignments
from tests.orchestrator.sweeping.spaces import large_space

SPACE = large_space()
POOL = list(assignments(SPACE))
AXES = list(SPACE.parameters)


def test_every_value_is_seen_before_any_is_tried_too_often() -> None:
    first = covering(POOL, AXES, 8, "seed")
    seen = {(axis, a[axis]) for a in first for axis in AXES if axis in a}
    assert seen == {(axis, value) for axis in AXES for value in SPACE.parameters[axis]}


def test_pairs_of_values_come_next() -> None:
    chosen = covering(POOL, AXES, 40, "seed")
    models_and_kvs = {(a["model"], a["kv"]) for a in chosen}
    assert models_and_kvs == set(
        itertools.product(SPACE.parameters["model"], SPACE.parameters["kv"])
    )


def test_more_of_a_design_begins_like_less_of_it() -> None:
    assert covering(POOL, AXES, 12, "seed")[:5] == covering(POOL, AXES, 5, "seed")


def test_another_seed_is_another_order() -> None:
    assert covering(POOL, AXES, 10, "a") != covering(POOL, AXES, 10, "b")


def test_the_whole_is_everything_once() -> None:
    order = whole(POOL, AXES, 10, "seed")
    assert len(order) == len(POOL)
    assert {candidate_of(a) for a in order} == {candidate_of(a) for a in POOL}
    assert order[:10] == covering(POOL, AXES, 10, "seed")


def test_nothing_to_choose_from_is_an_empty_design() -> None:
    assert covering([], AXES, 10, "seed") == whole([], AXES, 10, "seed") == []


def test_a_drawn_assignment_is_one_of_the_space() -> None:
    rng = random.Random(0)
    drawn = [random_assignment(SPACE, rng) for _ in range(300)]
    assert all(assignment in POOL for assignment in drawn)
    assert len({candidate_of(a) for a in drawn}) > 60
