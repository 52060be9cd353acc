"""The part of the conformance suite about requests with a filled context."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from search_spaces.candidate import Candidate
from search_spaces.recipe import DepthRecipe
from tests.workers.engines.rigs import CPU
from tests.workers.engines.scoring_conformance import PLAIN
from workers.engines.base import Assets, Engine
from workers.facets.deep import requests
from workers.failures.classify import classify
from workers.http.client import ServerClient
from workers.http.draft_counts import DraftCounter
from workers.suites.load import Prompt

SMALL = replace(PLAIN, ctx=512)
DRAFTING = replace(SMALL, spec="draft-dflash", drafter="drafter", n_max=4)
QUICKSORT = Prompt("sort", "code", "def quicksort(values):\n")


class ServingConformance:
    """What a filled context must do on every engine."""

    @pytest.mark.parametrize("candidate", [SMALL, DRAFTING], ids=["plain", "dflash"])
    def test_a_context_can_be_filled_to_the_last_token(
        self, engine: Engine, assets: Assets, candidate: Candidate, tmp_path: Path
    ) -> None:
        recipe = DepthRecipe(predict=8)
        with (
            engine.launch(candidate, assets, CPU, tmp_path / "log") as running,
            ServerClient(running.base_url, timeout_s=300) as client,
        ):
            for request in requests(client, [QUICKSORT], candidate.ctx, recipe):
                done = client.completion(request.prompt.text, recipe.predict)
                assert done.prompt_n == request.tokens
                assert done.predicted_n == recipe.predict
                assert not done.cache_n
            assert request.prompt.group == "near-full"
            assert candidate.ctx - 60 < request.tokens < candidate.ctx - recipe.predict

    def test_more_than_a_context_is_refused_as_that(
        self, engine: Engine, assets: Assets, tmp_path: Path
    ) -> None:
        with (
            engine.launch(SMALL, assets, CPU, tmp_path / "log") as running,
            ServerClient(running.base_url, timeout_s=300) as client,
            pytest.raises(httpx.HTTPStatusError) as refused,
        ):
            client.completion(QUICKSORT.text * 200, 4)
        diagnosis = classify(refused.value.response.text)
        assert diagnosis is not None
        assert diagnosis.kind == "context_overflow"

    def test_accepted_tokens_are_counted_by_position(
        self, engine: Engine, assets: Assets, tmp_path: Path
    ) -> None:
        with (
            engine.launch(DRAFTING, assets, CPU, tmp_path / "log") as running,
            ServerClient(running.base_url, timeout_s=300) as client,
        ):
            counter = DraftCounter(client)
            done = client.completion(QUICKSORT.text, 24)
            made = counter.since(done.draft_n_accepted)
        assert 0 < made["drafts_n"] <= done.draft_n
        assert sum(made[f"accepted_at_{n}"] for n in (1, 2, 3, 4)) == done.draft_n_accepted > 0
