"""When to repeat: the rule as a specification, over whatever an engine may time."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field

from hypothesis import assume, given
from hypothesis import strategies as st

from search_spaces.recipe import ThroughputRecipe
from workers.contract.job import Point, StoppingRule
from workers.contract.outcome import Sample
from workers.facets.repetitions import STOPPED_EARLY, Next, Progress, decide, rate_of

PROMPTS = ("sort", "parse")
STEADY = [100.0]

recipes = st.builds(
    lambda launches, passes, more: ThroughputRecipe(
        launches=launches, passes=passes, max_passes=passes + more
    ),
    st.integers(1, 3),
    st.integers(1, 3),
    st.integers(0, 3),
)
times = st.lists(st.floats(1.0, 1e5), min_size=1, max_size=36)  # over and over
spreads = st.none() | st.tuples(st.floats(0, 0.1), st.floats(8, 50))
points = st.lists(st.builds(Point, st.floats(0, 1e6), st.floats(0, 100)), max_size=4).map(tuple)
rules = st.builds(
    StoppingRule,
    precision=st.floats(0.001, 0.5),
    budget_s=st.floats(0.1, 100),
    to_beat=points,
    loss=st.none() | st.floats(0, 100),
    spread=spreads,
)


# Rules under which an early stop can happen at all: something to beat, and a spread to judge by.
beatable = st.builds(
    StoppingRule,
    to_beat=st.lists(
        st.builds(Point, st.floats(1e5, 1e7), st.floats(0, 10)), min_size=1, max_size=4
    ).map(tuple),
    loss=st.floats(5, 100),
    spread=st.tuples(st.floats(0, 0.1), st.floats(8, 50)),
)


@dataclass
class Course:
    """A job that followed the rule to its end."""

    samples: list[Sample] = field(default_factory=list)
    steps: list[tuple[Progress, Next, str | None]] = field(default_factory=list)

    @property
    def passes(self) -> Counter[int]:
        """How many passes each launch made."""
        return Counter(progress.launches for progress, _, _ in self.steps)

    @property
    def flag(self) -> str | None:
        """What the numbers were flagged with at the end."""
        return self.steps[-1][2]


def follow(
    recipe: ThroughputRecipe, rule: StoppingRule, times_ms: list[float], pass_s: float = 1.0
) -> Course:
    """Passes of `pass_s` seconds each, until the rule says stop."""
    course, timed = Course(), itertools.cycle(times_ms)
    launch, made = 1, 0
    while True:
        for prompt in PROMPTS:
            values = {"predicted_n": 101.0, "predicted_ms": next(timed)}
            course.samples.append(Sample(prompt, values, launch - 1, made))
        made += 1
        progress = Progress(launch, made, pass_s * len(course.samples) / len(PROMPTS))
        step, flag = decide(recipe, rule, progress, course.samples)
        course.steps.append((progress, step, flag))
        if step is Next.STOP:
            return course
        if step is Next.LAUNCH:
            launch, made = launch + 1, 0


@given(recipes, rules, times)
def test_it_ends_and_never_makes_more_than_the_most(
    recipe: ThroughputRecipe, rule: StoppingRule, times_ms: list[float]
) -> None:
    passes = follow(recipe, rule, times_ms).passes

    assert len(passes) <= recipe.launches
    assert max(passes.values()) <= recipe.max_passes


@given(recipes, rules, times)
def test_at_least_the_least_passes_and_launches_are_made_unless_it_stops_early(
    recipe: ThroughputRecipe, rule: StoppingRule, times_ms: list[float]
) -> None:
    course = follow(recipe, rule, times_ms)

    assert min(course.passes.values()) >= recipe.passes
    assert len(course.passes) == recipe.launches or course.flag == STOPPED_EARLY


@given(recipes, rules, times)
def test_only_the_last_launch_makes_more_than_the_least_passes(
    recipe: ThroughputRecipe, rule: StoppingRule, times_ms: list[float]
) -> None:
    passes = follow(recipe, rule, times_ms).passes

    assert all(passes[launch] == recipe.passes for launch in passes if launch != max(passes))


@given(recipes, rules, times)
def test_after_the_budget_no_pass_starts_that_is_not_owed(
    recipe: ThroughputRecipe, rule: StoppingRule, times_ms: list[float]
) -> None:
    for progress, step, _ in follow(recipe, rule, times_ms).steps:
        owed = progress.passes < recipe.passes
        assert step is not Next.PASS or owed or progress.elapsed_s < rule.budget_s


@given(recipes, beatable, times)
def test_it_stops_early_only_when_a_point_is_clearly_faster_and_no_worse(
    recipe: ThroughputRecipe, rule: StoppingRule, times_ms: list[float]
) -> None:
    course = follow(recipe, rule, times_ms)
    assume(course.flag is not None)

    rate = rate_of(rule, course.samples)
    assert rate is not None
    assert rate.high is not None
    assert rule.loss is not None
    assert any(p.tok_s > rate.high and p.loss <= rule.loss for p in rule.to_beat)


@given(recipes, rules, times)
def test_a_flag_comes_with_the_end_alone(
    recipe: ThroughputRecipe, rule: StoppingRule, times_ms: list[float]
) -> None:
    assert [flag for _, _, flag in follow(recipe, rule, times_ms).steps[:-1] if flag] == []


BEATEN = StoppingRule(to_beat=(Point(5_000.0, 10.0),), loss=10.0, spread=(0.001, 10.0))
THREE = ThroughputRecipe(launches=3, passes=2, max_passes=6)


def test_what_is_clearly_beaten_ends_after_the_passes_of_its_first_launch() -> None:
    course = follow(THREE, BEATEN, STEADY)

    assert course.passes == {1: 2}
    assert course.flag == STOPPED_EARLY


def test_a_faster_point_of_worse_quality_beats_nothing() -> None:
    rule = StoppingRule(to_beat=(Point(5_000.0, 10.1),), loss=10.0, spread=BEATEN.spread)

    assert len(follow(THREE, rule, STEADY).passes) == 3


def test_what_has_no_quality_yet_cannot_be_beaten() -> None:
    rule = StoppingRule(to_beat=BEATEN.to_beat, loss=None, spread=BEATEN.spread)

    assert len(follow(THREE, rule, STEADY).passes) == 3


def test_a_quality_that_is_no_number_beats_nothing() -> None:
    rule = StoppingRule(to_beat=(Point(5_000.0, float("nan")),), loss=10.0, spread=BEATEN.spread)

    assert len(follow(THREE, rule, STEADY).passes) == 3


def test_one_launch_of_an_unknown_rig_cannot_be_called_beaten() -> None:
    rule = StoppingRule(to_beat=BEATEN.to_beat, loss=10.0, spread=None)

    assert len(follow(THREE, rule, STEADY).passes) > 1


def test_a_spread_that_few_launches_have_told_stops_nothing() -> None:
    rule = StoppingRule(to_beat=BEATEN.to_beat, loss=10.0, spread=(0.001, 9.0))

    assert len(follow(THREE, rule, STEADY).passes) == 3


def test_steady_times_need_no_further_pass() -> None:
    course = follow(THREE, StoppingRule(budget_s=1e9), STEADY)

    assert course.passes == {1: 2, 2: 2, 3: 2}


def test_uneven_times_are_repeated_up_to_the_most() -> None:
    uneven = [50.0, 80.0, 200.0, 120.0]

    course = follow(THREE, StoppingRule(budget_s=1e9), uneven)

    assert course.passes == {1: 2, 2: 2, 3: 6}


def test_times_that_are_no_numbers_do_not_stop_the_rule_from_ending() -> None:
    course = follow(THREE, BEATEN, [float("nan")])

    assert len(course.passes) == 3
