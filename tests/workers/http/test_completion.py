"""A completion's raw values, as builds of different years report them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.http.completion import Completion

# llama.cpp b11434; without drafts the last two are absent.
TIMINGS = {
    "cache_n": 0,
    "prompt_n": 15,
    "prompt_ms": 166.31,
    "predicted_n": 32,
    "predicted_ms": 820.608,
    "predicted_per_second": 37.78,
    "draft_n": 70,
    "draft_n_accepted": 19,
}


def read(wall_ms: float = 1000.0, **changes: Any) -> Completion:
    timings = {**TIMINGS, **changes}
    body = {"content": " one two", "tokens": [582, 827], "timings": timings}
    return Completion.from_json(body, wall_ms)


def test_the_raw_values_are_read() -> None:
    done = read()

    assert (done.prompt_n, done.prompt_ms) == (15, 166.31)
    assert (done.predicted_n, done.predicted_ms) == (32, 820.608)
    assert (done.draft_n, done.draft_n_accepted, done.cache_n) == (70, 19, 0)
    assert (done.text, done.tokens) == (" one two", (582, 827))


def test_a_build_that_did_not_draft_says_nothing_about_drafts() -> None:
    body = {"content": "", "timings": {"predicted_n": 4}}

    done = Completion.from_json(body, 1.0)

    assert (done.draft_n, done.draft_n_accepted) == (0, 0)


def test_a_build_that_does_not_tell_of_its_cache_leaves_it_open() -> None:
    assert Completion.from_json({"timings": {}}, 1.0).cache_n is None


def test_fields_of_forks_are_no_trouble() -> None:
    assert read(cache_lcp_n=3, draft_by_depth=[{"depth": 1}]).predicted_n == 32


def test_nan_is_kept_for_a_gate_to_find() -> None:
    assert math.isnan(read(predicted_ms=math.nan).predicted_ms)


@pytest.mark.parametrize("body", [{}, {"content": "x"}, {"timings": None}, {"timings": [1]}])
def test_an_answer_without_timings_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no timings"):
        Completion.from_json(body, 1.0)


def test_time_to_the_first_token_has_the_way_to_and_from_the_server_in_it() -> None:
    assert read(wall_ms=1000.0).ttft_ms == pytest.approx(1000.0 - 820.608)


def test_it_is_never_shorter_than_the_prompt_took() -> None:
    assert read(wall_ms=900.0).ttft_ms == 166.31


def test_what_a_sample_stores_is_raw() -> None:
    assert set(read().values()) == {
        "prompt_n",
        "prompt_ms",
        "predicted_n",
        "predicted_ms",
        "draft_n",
        "draft_n_accepted",
        "ttft_ms",
        "wall_ms",
    }


@given(wall_ms=st.floats(0, 1e7), prompt_ms=st.floats(0, 1e6), predicted_ms=st.floats(0, 1e6))
def test_time_to_the_first_token_is_never_negative(
    wall_ms: float, prompt_ms: float, predicted_ms: float
) -> None:
    assert read(wall_ms, prompt_ms=prompt_ms, predicted_ms=predicted_ms).ttft_ms >= 0.0
