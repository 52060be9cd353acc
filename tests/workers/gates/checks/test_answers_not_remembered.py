"""answers_not_remembered: a pool over requests is not speculation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.workers.gates.scenes import DFLASH, PLAIN, completion, is_flag, scene, verdict_of
from workers.gates.base import Scene
from workers.gates.checks.answers_not_remembered import GATE

NGRAM = replace(PLAIN, spec="ngram-mod")


def seen(*counts: tuple[int, int], passes: int = 2) -> Scene:
    canaries = [completion(draft_n=n, draft_n_accepted=right) for n, right in counts]
    return scene(NGRAM, canaries=canaries, passes=passes)


@pytest.mark.parametrize(
    "counts",
    # as llama.cpp b11434 did: ngram-mod, ngram-map-k, and ngram-cache beside a drafter
    [((0, 0), (53, 53)), ((48, 33), (33, 33)), ((96, 39), (61, 61))],
)
def test_a_repeated_prompt_that_is_drafted_better_is_flagged(
    counts: tuple[tuple[int, int], ...],
) -> None:
    assert is_flag(verdict_of(GATE, seen(*counts)))


@pytest.mark.parametrize("counts", [((44, 33), (44, 33)), ((62, 62), (62, 62)), ((0, 0), (0, 0))])
def test_a_repeated_prompt_that_is_drafted_alike_passes(
    counts: tuple[tuple[int, int], ...],
) -> None:
    assert verdict_of(GATE, seen(*counts)).verdict.passed


def test_a_pool_does_no_harm_where_each_prompt_is_asked_once() -> None:
    assert verdict_of(GATE, seen((0, 0), (53, 53), passes=1)).verdict.passed


def test_it_does_not_apply_to_drafters_without_a_pool() -> None:
    assert GATE.check(scene(DFLASH, canaries=[completion(), completion()])) is None


def test_it_does_not_apply_to_a_single_canary() -> None:
    assert GATE.check(seen((0, 0))) is None
