"""Counters of drafts: each request's own share, or nothing."""

from __future__ import annotations

import pytest

from tests.support.script import Fault, Script
from tests.support.scripted_server import serving
from workers.http.client import ServerClient
from workers.http.draft_counts import DraftCounter

DRAFTING = ["-m", "t.gguf", "--spec-type", "draft-dflash", "--spec-draft-n-max", "4", "--metrics"]


def test_each_request_has_its_own_counts() -> None:
    with serving(Script(), DRAFTING) as served, ServerClient(served.url) as client:
        client.completion("before", 30)
        counter = DraftCounter(client)
        for _ in range(2):
            done = client.completion("one two three", 16)
            made = counter.since(done.draft_n_accepted)
            assert made["drafts_n"] == done.draft_n / 4
            assert sum(made[f"accepted_at_{n}"] for n in (1, 2, 3, 4)) == done.draft_n_accepted
            assert made["accepted_at_1"] >= made["accepted_at_2"] >= made["accepted_at_4"] == 0


def test_counts_that_include_somebody_elses_request_are_left_out() -> None:
    with serving(Script(), DRAFTING) as served, ServerClient(served.url) as client:
        counter = DraftCounter(client)
        client.completion("another's", 16)
        done = client.completion("one two three", 16)

        assert counter.since(done.draft_n_accepted) == {}


@pytest.mark.parametrize("words", [DRAFTING[:-1], DRAFTING], ids=["not asked", "turned off"])
def test_a_server_without_counters_tells_nothing(words: list[str]) -> None:
    script = Script(faults=(Fault.NO_METRICS,))
    with serving(script, words) as served, ServerClient(served.url) as client:
        counter = DraftCounter(client)
        done = client.completion("one two three", 16)

        assert counter.since(done.draft_n_accepted) == {}
