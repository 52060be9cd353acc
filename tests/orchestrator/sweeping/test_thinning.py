"""A long study is thinned for the sampler: what is good stays, and so does what is open."""

from __future__ import annotations

import random

import optuna
import pytest
from optuna.distributions import FloatDistribution
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial, TrialState

from orchestrator.sweeping import memory_study
from orchestrator.sweeping.memory_study import MemoryStudy
from orchestrator.sweeping.thinning import thinned
from orchestrator.sweeping.verdict import Verdict

BOTH = (StudyDirection.MAXIMIZE, StudyDirection.MINIMIZE)
AXIS = {"x": FloatDistribution(0.0, 1.0)}


def trial(number: int, values: tuple[float, float], broken: float = -1.0) -> FrozenTrial:
    """One that has ended: a speed and a loss, and how far a limit is broken."""
    made = optuna.create_trial(
        params={"x": 0.5}, distributions=AXIS, values=values, constraints={"limit": broken}
    )
    made.number = number
    return made


def many(count: int) -> list[FrozenTrial]:
    """Faster and finer by number, so that each dominates all before it."""
    return [trial(n, (float(n), float(-n))) for n in range(count)]


@pytest.mark.parametrize("count", [30, 999, 2_500])
def test_the_best_stay_and_a_part_of_the_others(count: int) -> None:
    kept = [t.number for t in thinned(many(count), BOTH, 20, 5, random.Random(1))]
    assert len(kept) == 20
    assert kept == sorted(kept)
    assert kept[-5:] == list(range(count - 5, count))


def test_few_all_stay() -> None:
    assert len(thinned(many(7), BOTH, 20, 5, random.Random(1))) == 7


def test_what_breaks_a_limit_is_not_among_the_best() -> None:
    broken = [trial(n, (1e6, -1e6), 1.0) for n in range(100, 110)]
    kept = thinned([*many(100), *broken], BOTH, 6, 5, random.Random(1))
    assert {95, 96, 97, 98, 99} <= {t.number for t in kept}


def study(ended: int) -> MemoryStudy:
    """One that has seen so many."""
    made = MemoryStudy(BOTH, seed=1)
    for n in range(ended):
        number, asked = made.ask()
        asked.suggest_float("x", 0.0, 1.0)
        made.tell(number, Verdict((float(n), 0.0)))
    return made


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thinned at 40 trials instead of a thousand."""
    monkeypatch.setattr(memory_study, "LIMIT", 40)
    monkeypatch.setattr(memory_study, "BEST", 5)


@pytest.mark.usefixtures("short")
def test_the_sampler_never_sees_more_than_the_limit() -> None:
    assert study(100).seen <= 40


@pytest.mark.usefixtures("short")
def test_a_trial_that_is_open_meanwhile_is_told_under_its_number() -> None:
    made = study(30)
    number, asked = made.ask()
    x = asked.suggest_float("x", 0.0, 1.0)
    for n in range(60):
        other, later = made.ask()
        later.suggest_float("x", 0.0, 1.0)
        made.tell(other, Verdict((float(n), 0.0)))
    assert made.running == 1
    made.tell(number, Verdict((1e6, 0.0)))
    best = max(made._study.get_trials(deepcopy=False), key=lambda t: (t.values or [0.0])[0])
    assert best.values == [1e6, 0.0]
    assert best.params == {"x": x}


@pytest.mark.usefixtures("short")
def test_of_a_long_study_that_is_taken_up_a_part_is_copied() -> None:
    open_one = optuna.create_trial(state=TrialState.RUNNING, params={"x": 0.1}, distributions=AXIS)
    made = MemoryStudy(BOTH, seed=1)
    numbers = made.add([*many(300), open_one])
    assert made.seen == 21
    made.tell(numbers[-1], Verdict((1.0, 1.0)))
    assert made.running == 0
