"""The order of trials follows no axis: what drifts with time must not look like a parameter."""

from __future__ import annotations

import statistics

import optuna
import pytest

from orchestrator.sweeping.search import Domain, Search
from orchestrator.sweeping.study import Study
from search_spaces.load import load
from search_spaces.walk import Assignment, assignments

SPACE = load("kv_dflash")
POOL = list(assignments(SPACE))
SEEDS = 120


def asked(trials: int, seed: int) -> list[Assignment]:
    """The assignments that a search begins with, in order; those that TPE proposes come after."""
    study = Study(optuna.storages.InMemoryStorage(), "study", SPACE, seed=1)
    domain = Domain(SPACE, lambda assignment: None, lambda candidate: candidate.asked_key, POOL)
    search = Search(study, domain, trials, f"seed {seed}")
    return list(search._queue)


def against_the_order(order: list[Assignment], axis: str) -> float:
    """The correlation of a trial's place in the order with where its value stands on the axis."""
    values = list(SPACE.parameters[axis])
    points = [(i, values.index(a[axis])) for i, a in enumerate(order) if axis in a]
    places, steps = zip(*points, strict=True)
    return statistics.correlation(places, steps) if len(set(steps)) > 1 else 0.0


@pytest.mark.parametrize("axis", SPACE.parameters)
@pytest.mark.parametrize("trials", [24, len(POOL)], ids=["covering-start", "whole-space"])
def test_no_axis_follows_the_order_of_trials(trials: int, axis: str) -> None:
    found = [against_the_order(asked(trials, seed), axis) for seed in range(SEEDS)]
    error = statistics.stdev(found) / SEEDS**0.5
    assert abs(statistics.mean(found)) < 3 * error + 0.01
