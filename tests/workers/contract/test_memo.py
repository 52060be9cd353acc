"""Memo keys of the rig's facets: what shapes a number changes its key, and nothing else does."""

from __future__ import annotations

from typing import Any

import pytest

from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.recipe import DepthRecipe, Recipe, ThroughputRecipe
from tests.support.hosts import make_rig
from workers.contract.memo import memo_key
from workers.contract.resolved import ResolvedCandidate

CONTENTS = {"coding": "sha-coding", "prose": "sha-prose"}


def key(
    facet: Facet = Facet.DEPTH,
    ctx: int = 4096,
    suite: str = "coding",
    deep: bool = True,
    **how: Any,
) -> str:
    resolved = ResolvedCandidate(Candidate("m", ctx=ctx), "engine", "logits", "model")
    recipe = Recipe(throughput=ThroughputRecipe(suite=suite), depth=DepthRecipe(**how))
    return memo_key(facet, resolved, make_rig(), recipe, CONTENTS, deep=deep)


@pytest.mark.parametrize(
    "changed",
    [
        {"depths": (0, "near-full")},
        {"predict": 32},
        {"prompts": 2},
        {"ctx": 8192},
        {"suite": "prose"},
    ],
    ids=str,
)
def test_what_is_asked_at_depth_is_in_its_key(changed: dict[str, Any]) -> None:
    assert key(**changed) != key()


@pytest.mark.parametrize("same", [{"passes": 5}, {"limit_s": 9.0}, {"deep": False}], ids=str)
def test_how_often_and_how_patiently_is_not(same: dict[str, Any]) -> None:
    assert key(**same) == key()


def test_the_order_of_the_depths_does_not_matter() -> None:
    assert key(depths=("near-full", 0.5, 0)) == key(depths=(0, 0.5, "near-full"))


def test_a_memory_that_covers_deep_requests_is_another_one() -> None:
    assert key(Facet.MEMORY) != key(Facet.MEMORY, deep=False)
    assert key(Facet.MEMORY) != key(Facet.MEMORY, depths=(0,))
    assert key(Facet.MEMORY, deep=False) == key(Facet.MEMORY, deep=False, depths=(0,))


def test_a_speed_of_the_suite_knows_nothing_of_depth() -> None:
    assert key(Facet.THROUGHPUT) == key(Facet.THROUGHPUT, deep=False, depths=(0,))
