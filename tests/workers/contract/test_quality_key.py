"""The memo key of quality: a model's code does not depend on how its tokens are drafted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.recipe import QualityRecipe, Recipe
from tests.support.hosts import make_rig
from workers.contract.memo import memo_key
from workers.contract.reports import RigKind
from workers.contract.resolved import ResolvedCandidate

PLAIN = Candidate("m", ctx=65_536)
CONTENTS = {"task:functions": "sha-f", "task:tetris": "sha-t", "task:mine": "sha-m"}


def key(
    candidate: Candidate = PLAIN,
    kind: RigKind = RigKind.CPU,
    contents: dict[str, str] = CONTENTS,
    server: str = "server",
    **recipe: Any,
) -> str:
    resolved = ResolvedCandidate(candidate, server, "logits", "model")
    how, rig = Recipe(quality=QualityRecipe(**recipe)), replace(make_rig(), kind=kind)
    return memo_key(Facet.QUALITY, resolved, rig, how, contents)


@pytest.mark.parametrize(
    "candidate",
    [
        replace(PLAIN, spec="draft-dflash", drafter="d", n_max=4),
        replace(PLAIN, ctx=131_072),
        replace(PLAIN, threads=3),
    ],
)
def test_what_does_not_shape_a_program_is_not_in_it(candidate: Candidate) -> None:
    assert key(candidate) == key()


@pytest.mark.parametrize(
    "candidate",
    [
        replace(PLAIN, kv_v="q8_0"),
        replace(PLAIN, ubatch=64),
        replace(PLAIN, ctx=2048),  # less than a request can use
        replace(PLAIN, flags="--rope-scaling yarn"),
    ],
)
def test_what_does_is(candidate: Candidate) -> None:
    assert key(candidate) != key()


def test_builds_and_backends_differ_in_rounding() -> None:
    assert len({key(), key(server="other"), key(kind=RigKind.CUDA)}) == 3


@pytest.mark.parametrize(
    "changed", [{"tasks": ("mine",)}, {"predict": 512}, {"temperature": 0.2}, {"seed": 7}], ids=str
)
def test_what_is_asked_is_in_it(changed: dict[str, Any]) -> None:
    assert key(**changed) != key()


def test_a_task_that_was_edited_is_another_one() -> None:
    assert key(contents={**CONTENTS, "task:tetris": "edited"}) != key()


def test_how_often_it_is_asked_is_not() -> None:
    assert key(repetitions=9) == key()
