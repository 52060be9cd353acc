"""Axes: lists of values, and ranges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_spaces.axis import Axis
from tests.search_spaces.spaces import axes, problem_of


@pytest.mark.parametrize(
    ("axis", "values"),
    [
        ("ctx: [4096, 2048]", (4096, 2048)),
        ("ctx: {values: [4096, 2048]}", (4096, 2048)),
        ("ctx: {min: 64, max: 66}", (64, 65, 66)),
        ("ctx: {min: 64, max: 64}", (64,)),
        ("batch: {min: 128, max: 511, step: 128}", (128, 256, 384)),
        ("batch: {min: 128, max: 512, step: 128}", (128, 256, 384, 512)),
    ],
)
def test_an_axis_takes_its_values_in_the_order_written(axis: str, values: tuple[int, ...]) -> None:
    (given,) = axes(axis).parameters.values()
    assert tuple(given) == values
    assert len(given) == len(values)
    assert (given[0], given[-1]) == (values[0], values[-1])


def test_fractions_step_without_rounding_errors() -> None:
    axis = axes(
        "spec: [draft-dflash], p_min: {min: 0.0, max: 0.9, step: 0.1}", fixed="model: m, drafter: d"
    ).parameters["p_min"]
    assert tuple(axis) == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@given(least=st.integers(-50, 50), extra=st.integers(0, 200), step=st.integers(1, 30))
def test_a_range_of_whole_numbers_is_pythons(least: int, extra: int, step: int) -> None:
    axis = Axis(min=least, max=least + extra, step=step)
    assert axis.domain() == tuple(range(least, least + extra + 1, step))


@given(least=st.integers(0, 100), extra=st.integers(0, 100), parts=st.integers(1, 1000))
def test_a_range_of_fractions_stays_within_its_bounds(least: int, extra: int, parts: int) -> None:
    axis = Axis(min=least, max=least + extra, step=1 / parts)
    values = [float(value) for value in axis]
    assert values == sorted(set(values))
    assert values[0] == least
    assert values[-1] == pytest.approx(least + extra, abs=1e-6)


def test_an_index_outside_is_an_index_error() -> None:
    with pytest.raises(IndexError):
        Axis(min=1, max=3)[3]


@pytest.mark.parametrize(
    ("axis", "message"),
    [
        ("[]", "the axis is empty: list at least one value."),
        ("{values: []}", "the axis is empty: list at least one value."),
        ("{min: 100, max: 99}", "the axis is empty: max is below min."),
        ("{}", "give either values, or min, max and step."),
        ("{values: [64], min: 64}", "give either values, or min, max and step."),
        ("{values: [64], step: 2}", "give either values, or min, max and step."),
        ("{min: 64}", "give both min and max."),
        ("{max: 64}", "give both min and max."),
        ("{step: 64}", "give both min and max."),
        ("[64, 128, 64]", "a value is listed twice."),
        ("[64, 64.0]", "a value is listed twice."),
        ("{min: 64, max: 128, step: 0}", "step must be above zero, at least 1e-9, and below 1e15."),
        (
            "{min: 64, max: 128, step: -1}",
            "step must be above zero, at least 1e-9, and below 1e15.",
        ),
        ("{min: 0.5, max: 1.5}", "a range of fractions needs a step."),
        ("4096", "an axis is a list of values, or min, max and step; one value goes under fixed."),
        ("null", "an axis is a list of values, or min, max and step; one value goes under fixed."),
    ],
)
def test_an_axis_of_no_clear_meaning_is_refused(axis: str, message: str) -> None:
    error = problem_of(f"ctx: {axis}")
    assert (error.message, error.key, error.line) == (message, "parameters.ctx", 4)


@pytest.mark.parametrize(
    "axis", ["{min: 64, max: 99999999}", "{min: 64, max: 65, step: 1e-9}", "{min: 64, max: 9e14}"]
)
def test_a_range_of_millions_is_refused(axis: str) -> None:
    assert "step" in problem_of(f"ctx: {axis}").message


@pytest.mark.parametrize("bound", ["true", "'64'", "[64]", "64k"])
def test_bounds_are_numbers(bound: str) -> None:
    error = problem_of(f"ctx: {{min: {bound}, max: 128}}")
    assert "is not a number." in error.message
    assert error.key == "parameters.ctx.min"


def test_a_condition_is_a_text() -> None:
    error = problem_of("ctx: {values: [64], when: true}")
    assert (error.message, error.key) == ("True is not a text.", "parameters.ctx.when")
