"""Prometheus text: whose it is, odd spellings, and texts that are none."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workers.doctor.server.metrics import llama, vllm, window
from workers.doctor.server.exposition import NotMetricsError, parse
from workers.doctor.server.vocabulary import Reading, ServerKind
from workers.doctor.server.window import NotToldError


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (llama({}), ServerKind.LLAMA_CPP),
        (vllm({}), ServerKind.VLLM),
        ("# TYPE go_threads gauge\ngo_threads 9\n", None),
        ("", None),
    ],
)
def test_whose_metrics_they_are(text: str, kind: ServerKind | None) -> None:
    assert parse(text).kind is kind


def test_a_text_in_quotes_is_unquoted() -> None:
    assert parse(json.dumps(llama({}))).kind is ServerKind.LLAMA_CPP


@pytest.mark.parametrize("text", ["<html><body>hello</body></html>", '"', "a{b} c", "name one"])
def test_what_is_no_exposition_is_refused(text: str) -> None:
    with pytest.raises(NotMetricsError):
        parse(text)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(NotMetricsError):
        parse(text)


def test_an_older_name_is_found() -> None:
    old = "# TYPE vllm:gpu_cache_usage_perc gauge\nvllm:gpu_cache_usage_perc 0.5\n"
    assert window(ServerKind.VLLM, old).peak(Reading.KV_USED) == 0.5


def test_a_counter_without_its_ending_is_found() -> None:
    bare = "vllm:num_preemptions 4\n"
    assert window(ServerKind.VLLM, bare, "vllm:num_preemptions 6\n").delta(Reading.PREEMPTED) == 2


def test_engines_are_added_up_and_the_fullest_cache_counts() -> None:
    told = {"generation_tokens_total": (1, 2), "kv_cache_usage_perc": (0.2, 0.9)}
    rows = [
        f'vllm:{name}{{engine="{engine}"}} {value}'
        for name, values in told.items()
        for engine, value in enumerate(values)
    ]
    found = window(ServerKind.VLLM, "\n".join(rows) + "\n")
    assert found.total(Reading.GENERATED) == 3
    assert found.peak(Reading.KV_USED) == 0.9


def test_a_number_that_is_none_is_not_told() -> None:
    with pytest.raises(NotToldError):
        window(ServerKind.VLLM, "vllm:kv_cache_usage_perc NaN\n").peak(Reading.KV_USED)


def test_what_came_before_a_reset_does_not_count() -> None:
    texts = [llama({"tokens_predicted_total": value}) for value in (900, 950, 10, 40)]
    whole = window(ServerKind.LLAMA_CPP, *texts)
    assert whole.since_reset.delta(Reading.GENERATED) == 30
    assert len(whole.since_reset.scrapes) == 2
