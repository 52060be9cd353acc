"""Recipes: depths and programs are what a person meant, or an error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from search_spaces.metrics import Facet
from search_spaces.recipe import NEAR_FULL, DepthRecipe, MemoryRecipe, QualityRecipe, Recipe

DEPTHS = st.one_of(
    st.just(0), st.integers(64, 10**6), st.floats(0, 0.999, allow_nan=False), st.just(NEAR_FULL)
)


def test_a_depth_is_a_share_a_number_of_tokens_or_all_that_fits() -> None:
    recipe = DepthRecipe(depths=("near-full", 0, 0.25, 1024), predict=64)

    assert recipe.tokens(8192) == {"0": 0, "1024": 1024, "25%": 2048, "near-full": 8127}


def test_unset_it_asks_for_an_empty_a_half_full_and_a_full_context() -> None:
    assert list(DepthRecipe().tokens(4096)) == ["0", "50%", NEAR_FULL]


def test_a_share_never_reaches_into_the_answer() -> None:
    assert DepthRecipe(depths=(0.999,), predict=100).tokens(1000) == {"99.9%": 899}


@pytest.mark.parametrize(
    "depths",
    [
        (),
        (1,),
        (63,),
        (-1,),
        (1.0,),
        (-0.1,),
        (True,),
        ("full",),
        (None,),
        (float("nan"),),
        (0, 0.0),
    ],
    ids=str,
)
def test_anything_else_is_refused(depths: Any) -> None:
    with pytest.raises(ValidationError):
        DepthRecipe(depths=depths)


@given(st.lists(DEPTHS, min_size=1, max_size=6), st.integers(2, 500), st.integers(1, 10**6))
def test_the_deepest_comes_last_and_shares_fit(depths: list[Any], predict: int, ctx: int) -> None:
    try:
        recipe = DepthRecipe(depths=tuple(depths), predict=predict)
    except ValidationError:
        return  # a depth twice
    tokens = recipe.tokens(ctx)
    assert list(tokens.values()) == sorted(tokens.values())
    shares = [n for name, n in tokens.items() if not name.isdigit()]
    assert all(0 <= n <= recipe.room(ctx) for n in shares)


@given(st.lists(DEPTHS, min_size=1, max_size=6, unique=True))
def test_it_comes_back_from_json_as_it_was(depths: list[Any]) -> None:
    try:
        recipe = DepthRecipe(depths=tuple(depths))
    except ValidationError:
        return
    assert DepthRecipe.model_validate_json(recipe.model_dump_json()) == recipe


def test_programs_are_asked_for_by_name_only() -> None:
    assert Recipe().named() == frozenset()
    assert Recipe(memory=MemoryRecipe()).also(Facet.QUALITY).named() == {
        Facet.MEMORY,
        Facet.QUALITY,
    }


def test_what_a_recipe_says_of_a_facet_stays_when_it_is_named() -> None:
    asked = Recipe(quality=QualityRecipe(repetitions=7)).also(Facet.QUALITY)
    assert asked.quality.repetitions == 7


@pytest.mark.parametrize(
    "odd",
    [
        {"tasks": ()},
        {"repetitions": 0},
        {"predict": 4},
        {"temperature": -1},
        {"temperature": 0},  # every repetition would be the same text
        {"top_p": 0},
        {"allow_unconfined": "yes"},
        {"task": "tetris"},
    ],
    ids=str,
)
def test_an_odd_request_for_programs_is_refused(odd: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        QualityRecipe(**odd)


def test_one_greedy_repetition_is_fine() -> None:
    assert QualityRecipe(temperature=0, repetitions=1).temperature == 0
