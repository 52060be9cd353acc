"""The recorded perplexities of llama-perplexity b11434, from our own code."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from search_spaces.recipe import PerplexityRecipe
from tests.support.models import builtin_model, real_corpus
from workers.logits import run

pytestmark = pytest.mark.engine

# SmolLM2-135M-Instruct Q4_1, WikiText-2 test file, -c 512 --chunks 8 -fa on, 2 threads, CPU.
RECORDED = {("f16", "f16"): 23.7056, ("q8_0", "q5_1"): 23.7092}
RECIPE = PerplexityRecipe(n_ctx=512, chunks=8, batch=2048, ubatch=512)


@pytest.mark.parametrize("kv", RECORDED, ids="/".join)
def test_it_is_within_a_thousandth_of_llama_perplexity(kv: tuple[str, str], tmp_path: Path) -> None:
    chunks = run.perplexity(builtin_model(), *kv, RECIPE, real_corpus(), 2, tmp_path / "log")
    tokens = sum(chunk.values["tokens"] for chunk in chunks)
    ours = math.exp(sum(chunk.values["nll"] for chunk in chunks) / tokens)
    assert len(chunks) == 8
    assert ours == pytest.approx(RECORDED[kv], rel=1e-3)
