"""Whatever is fed to the loader: a space that can be walked, or a SpaceError; never anything else.

About 5,600 examples; `--hypothesis-profile=thorough` takes twenty times as many.
"""

from __future__ import annotations

import math
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from search_spaces.errors import SpaceError
from search_spaces.expressions import Expression
from search_spaces.load import loads
from search_spaces.metrics import METRICS
from search_spaces.parameters import PARAMETERS
from search_spaces.space import Space
from search_spaces.walk import baseline_of, candidates, names_of
from tests.search_spaces import broken

pytestmark = [  # Python's parser has opinions about broken expressions
    pytest.mark.filterwarnings("ignore::SyntaxWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
FILE = "broken.yaml"


def examples(times: int) -> settings:
    """`times` as many examples as the profile has."""
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=times * settings().max_examples, suppress_health_check=slow)


def walks_or_is_refused(text: str) -> None:
    """The one property: anything but SpaceError fails the test as itself."""
    try:
        space = loads(text, file=FILE)
    except SpaceError as error:
        assert error.file == FILE
        assert error.message
        assert error.line is None or 1 <= error.line <= text.count("\n") + text.count("\r") + 2
        assert len(str(error).encode()) < 3_500
    else:
        walk(space)


def walk(space: Space) -> None:
    """What a sweep does with a space, for its first candidates."""
    assert space.key
    assert space.facets
    assert all(space.default(name) is None or space.default(name) != "" for name in PARAMETERS)
    for candidate, rule in islice(candidates(space), 50):
        assert rule is None or rule.strip()
        assert candidate == candidate.canonical() == type(candidate).from_dict(candidate.as_dict())
        base = baseline_of(space, candidate)
        assert base == base.canonical()
        names = names_of(candidate.as_dict())
        for metrics in ({}, dict.fromkeys(METRICS, 1.5), dict.fromkeys(METRICS, math.nan)):
            try:
                violations = [limit.violation({**names, **metrics}) for limit in space.limits]
            except SpaceError:
                continue
            assert all(math.isfinite(violation) for violation in violations)


@examples(15)
@given(
    st.text(st.characters(codec="utf-8") | st.sampled_from("[]{}:,-#&*!|>'\"%@` \n\t"), max_size=60)
)
def test_a_random_text(text: str) -> None:
    walks_or_is_refused(text)


@examples(6)
@given(broken.mutated_texts())
def test_the_demo_space_with_broken_text(text: str) -> None:
    walks_or_is_refused(text)


@examples(6)
@given(broken.mutated_data())
def test_the_demo_space_with_broken_data(text: str) -> None:
    walks_or_is_refused(text)


@examples(8)
@given(broken.plausible_data())
def test_a_space_whose_parts_have_the_right_form(text: str) -> None:
    walks_or_is_refused(text)


@examples(5)
@given(broken.data, st.sampled_from([broken.as_json, broken.as_yaml]))
def test_random_data(data: object, dump: object) -> None:
    try:
        text = dump(data)  # type: ignore[operator]
    except (ValueError, UnicodeError):  # numbers and texts that cannot be written either
        return
    walks_or_is_refused(text)


@examples(8)
@given(broken.expressions, st.sampled_from(["when", "forbid", "constraints"]))
def test_a_random_expression_in_a_space(text: str, place: str) -> None:
    data: dict[str, object] = {
        "name": "x",
        "objectives": ["tok_s"],
        "fixed": {"model": "m", "drafter": "d"},
        "parameters": {
            "kv": ["f16/f16", "q8_0/q5_1"],
            "spec": ["none", "draft-dflash"],
            "n_max": {"min": 1, "max": 7},
            "ctx": {"values": [64, 128], "when": text} if place == "when" else [64, 128],
        },
    }
    if place != "when":
        data[place] = [text]
    walks_or_is_refused(broken.as_json(data))


@examples(8)
@given(
    broken.expressions,
    st.dictionaries(
        st.sampled_from([*PARAMETERS, *METRICS]),
        st.none() | st.integers() | st.floats() | st.text(max_size=3),
    ),
)
def test_a_random_expression_over_random_values(
    text: str, names: dict[str, str | int | float | None]
) -> None:
    try:
        rule = Expression.parse(text)
        assert isinstance(rule.true(names), bool)
        assert math.isfinite(rule.violation(names))
        rule.probe(names)
    except SpaceError as error:
        assert error.message
