"""The contract's dataclasses survive JSON, and JSON survives every database."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.codec import dumps, from_json, to_json
from db.errors import DatabaseError
from db.spaces import space_from_json, space_to_json
from search_spaces.load import builtin_names, load
from search_spaces.recipe import MemoryRecipe, Recipe
from tests.db.scenes import SPACE
from tests.support.outcomes import RIG, make_job, outcomes
from workers.contract.outcome import Completed, Failed, Outcome
from workers.contract.reports import RigReport
from workers.contract.resolved import ResolvedCandidate

JOB = make_job()


@given(outcomes(JOB))
def test_any_outcome_comes_back_equal(outcome: Outcome) -> None:
    kind = Completed if isinstance(outcome, Completed) else Failed
    again = from_json(kind, json.loads(dumps(to_json(outcome))))
    assert dumps(to_json(again)) == dumps(to_json(outcome))  # texts: NaN is not equal to itself


def test_a_rig_and_a_resolved_candidate_come_back_equal() -> None:
    assert from_json(RigReport, to_json(RIG)) == RIG
    assert from_json(ResolvedCandidate, to_json(JOB.resolved)) == JOB.resolved


@given(st.floats() | st.lists(st.floats()) | st.dictionaries(st.text(), st.floats()))
def test_the_text_is_json_that_any_parser_accepts(value: object) -> None:
    def refuse(word: str) -> object:
        raise AssertionError(f"{word} is not JSON")

    json.loads(dumps(value), parse_constant=refuse)


def test_numbers_that_are_none_come_back_as_they_were() -> None:
    values = {"nan": math.nan, "up": math.inf, "down": -math.inf}
    again = from_json(dict[str, float], json.loads(dumps(values)))
    assert math.isnan(again["nan"])
    assert (again["up"], again["down"]) == (math.inf, -math.inf)


def test_data_of_another_version_is_refused_by_name() -> None:
    with pytest.raises(DatabaseError, match="a stored RigReport cannot be read: name: "):
        from_json(RigReport, {"host": "tower"})


@pytest.mark.parametrize("name", builtin_names())
def test_builtin_spaces_come_back_equal(name: str) -> None:
    space = load(name)
    data, named = space_to_json(space)
    again = space_from_json(json.loads(dumps(data)), named)
    assert again == space
    assert again.key == space.key
    assert again.facets == space.facets


@pytest.mark.parametrize("measure", [Recipe(), Recipe(memory=MemoryRecipe())])
def test_only_the_facets_that_were_named_look_named_afterwards(measure: Recipe) -> None:
    space = SPACE.model_copy(update={"measure": measure})
    assert space_from_json(*space_to_json(space)).measure.named() == measure.named()
