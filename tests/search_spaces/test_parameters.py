"""Parameters: every value has the type and range of its parameter."""

from __future__ import annotations

import pytest

from search_spaces.candidate import CANDIDATE_FIELDS
from search_spaces.parameters import PAIRS, PARAMETERS, candidate_of, without_effect
from tests.search_spaces.spaces import problem_in, problem_of, space, walked


def test_every_field_of_a_candidate_is_a_parameter() -> None:
    assert set(PARAMETERS) == {*CANDIDATE_FIELDS, *PAIRS}


DRAFTING = "model: m, drafter: d, spec: draft-dflash"


@pytest.mark.parametrize(
    ("name", "axis", "message", "place"),
    [
        ("ctx", "[true]", "True is not a whole number.", "values.0"),
        ("ctx", "[4096, 1.5]", "1.5 is not a whole number.", "values.1"),
        ("ctx", "[4096.0]", "4096.0 is not a whole number.", "values.0"),
        ("ctx", "['4096']", "'4096' is not a whole number.", "values.0"),
        ("ctx", "[63]", "63 is below the least value 64.", "values.0"),
        ("ctx", "{values: [64, 63]}", "63 is below the least value 64.", "values.1"),
        ("n_max", "{min: 1, max: 3, step: 0.5}", "0.5 is not a whole number.", "step"),
        ("n_max", "{min: 1, max: 2.5, step: 1}", "2.5 is not a whole number.", "max"),
        ("n_max", "{min: 0, max: 3}", "0 is below the least value 1.", "min"),
        ("p_min", "[0, 1.5]", "1.5 is above the greatest value 1.", "values.1"),
        ("p_min", "['0.5']", "'0.5' is not a number.", "values.0"),
        ("p_min", "[false]", "False is not a number.", "values.0"),
        ("load_mode", "['']", "'' is an empty text.", "values.0"),
        ("override_tensor", '["a\\0b"]', "'a\\x00b' holds a control character.", "values.0"),
        ("kv", "[[f16, q8_0]]", "['f16', 'q8_0'] is not a text, a number, true or false.", "0"),
        ("kv", "[null]", "None is not a text, a number, true or false.", "0"),
    ],
)
def test_a_value_of_another_type_is_refused(name: str, axis: str, message: str, place: str) -> None:
    error = problem_of(f"{name}: {axis}", fixed=DRAFTING)
    assert (error.message, error.key, error.line) == (message, f"parameters.{name}.{place}", 4)


@pytest.mark.parametrize("name", ["kv", "draft_kv"])
@pytest.mark.parametrize(
    "pair", ["f16", "q8_0-q5_1", "f16/q8_0/q5_1", "f16//q8_0", "f16/", "/f16", "f16 / q8_0", "/"]
)
def test_a_pair_is_two_types_around_one_slash(name: str, pair: str) -> None:
    error = problem_of(f"{name}: [f16/f16, {pair}]", fixed=DRAFTING)
    assert error.message == f"{pair!r} is not a K/V pair."
    assert error.hint == "Write it as q8_0/q5_1."


@pytest.mark.parametrize("name", ["ngl", "tensor_split", "kv"])
def test_a_number_where_a_text_is_asked_wants_quotes(name: str) -> None:
    error = problem_of(f"{name}: [99]")
    assert (error.message, error.hint) == ("99 is not a text.", "Put it in quotes.")


def test_fixed_values_and_the_baseline_are_held_to_the_same() -> None:
    error = problem_in("", fixed="model: m, ctx: true")
    assert (error.message, error.key) == ("True is not a whole number.", "fixed.ctx")
    error = problem_in("baseline: {fix: {kv: f16}}")
    assert (error.message, error.key) == ("'f16' is not a K/V pair.", "baseline.fix.kv")


def test_a_long_value_is_cut_in_the_message() -> None:
    assert len(problem_in("", fixed=f"model: m, ctx: {'x' * 5000}").message) < 120


def test_off_on_yes_and_no_are_texts() -> None:
    fixed = "model: m, drafter: d, spec: draft-dflash, controller: off"
    (candidate,) = walked(space(fixed=fixed))
    assert candidate.controller == "off"


def test_a_pair_becomes_its_two_parts() -> None:
    parts = {"kv_k": "q8_0", "kv_v": "q5_1", "draft_kv_k": "f16", "draft_kv_v": "q4_0"}
    whole = {"model": "m", "spec": "draft-dflash", "kv": "q8_0/q5_1", "draft_kv": "f16/q4_0"}
    assert candidate_of(whole).as_dict().items() >= parts.items()


def test_a_pair_has_no_effect_where_both_parts_have_none() -> None:
    assert {"draft_kv", "draft_kv_k", "drafter"} <= without_effect("ngram-mod")
    assert "kv" not in without_effect("none")
    assert without_effect("draft-dflash") == frozenset()
