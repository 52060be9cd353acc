"""timings_sane: numbers that can be true."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workers.gates.scenes import completion, is_fatal, scene, verdict_of
from workers.gates.checks.timings_sane import GATE


def test_plausible_answers_pass() -> None:
    seen = scene(canaries=[completion()], measured=[completion(draft_n=8, draft_n_accepted=5)])

    assert verdict_of(GATE, seen).verdict.passed


@pytest.mark.parametrize(
    "values",
    [
        {"predicted_ms": math.nan},
        {"prompt_ms": math.inf},
        {"predicted_ms": 0.0},
        {"predicted_ms": -3.0},
        {"prompt_n": -1},
        {"draft_n": 4, "draft_n_accepted": 5},
        {"draft_n": 40, "draft_n_accepted": 17},
        {"wall_ms": 100.0},
    ],
    ids=lambda values: " ".join(values),
)
def test_impossible_ones_are_fatal(values: dict[str, Any]) -> None:
    assert is_fatal(verdict_of(GATE, scene(measured=[completion(), completion(**values)])))


def test_one_token_may_take_no_time_since_it_is_sampled_with_the_prompt() -> None:
    assert verdict_of(
        GATE, scene(measured=[completion(predicted_n=1, predicted_ms=0.0)])
    ).verdict.passed


def test_clocks_of_two_processes_may_differ_a_little() -> None:
    assert verdict_of(GATE, scene(measured=[completion(wall_ms=239.0)])).verdict.passed


def test_a_wrong_canary_is_found_before_anything_is_timed() -> None:
    assert is_fatal(verdict_of(GATE, scene(canaries=[completion(predicted_ms=math.nan)])))


def test_it_does_not_apply_without_answers() -> None:
    assert GATE.check(scene()) is None


@given(prompt_ms=st.floats(), predicted_ms=st.floats(), wall_ms=st.floats())
def test_what_passes_is_always_finite_and_fits_into_the_wait(
    prompt_ms: float, predicted_ms: float, wall_ms: float
) -> None:
    one = completion(prompt_ms=prompt_ms, predicted_ms=predicted_ms, wall_ms=wall_ms)

    if verdict_of(GATE, scene(measured=[one])).verdict.passed:
        assert all(map(math.isfinite, (prompt_ms, predicted_ms, wall_ms)))
        assert prompt_ms + predicted_ms <= wall_ms * 1.02 + 5.0
