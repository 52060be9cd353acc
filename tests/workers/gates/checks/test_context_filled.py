"""context_filled: what a deep prompt was read as is what it is."""

from __future__ import annotations

import pytest

from tests.workers.gates.scenes import completion, is_fatal, scene, verdict_of
from workers.gates.checks.context_filled import GATE


def test_prompts_read_whole_pass() -> None:
    seen = scene(deep=[(40, completion(prompt_n=40)), (900, completion(prompt_n=900))])

    finding = verdict_of(GATE, seen)

    assert finding.verdict.passed
    assert "900" in finding.verdict.detail


@pytest.mark.parametrize("read", [20, 39, 41])
def test_another_number_of_tokens_is_fatal(read: int) -> None:
    assert is_fatal(verdict_of(GATE, scene(deep=[(40, completion(prompt_n=read))])))


def test_tokens_from_a_cache_are_fatal() -> None:
    assert is_fatal(verdict_of(GATE, scene(deep=[(40, completion(cache_n=1))])))


def test_a_build_that_does_not_count_cached_tokens_is_judged_by_what_it_read() -> None:
    assert verdict_of(GATE, scene(deep=[(40, completion(cache_n=None))])).verdict.passed


def test_it_does_not_apply_where_nothing_was_filled() -> None:
    assert GATE.check(scene(measured=[completion()])) is None
