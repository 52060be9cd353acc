"""A real model through a real libllama, against llama-perplexity on the same text."""

from __future__ import annotations

import math
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from search_spaces.recipe import DivergenceRecipe, PerplexityRecipe
from tests.support.models import builtin_model, engine_binary, real_corpus
from workers.contract.failure import FailureKind
from workers.contract.outcome import Sample
from workers.engines.base import EngineError
from workers.logits import run
from workers.logits.kv_types import KV_TYPES
from workers.models.cache import CACHE_VARIABLE
from workers.models.corpus import corpus_path

pytestmark = pytest.mark.engine

THREADS = 2
FINAL = re.compile(r"Final estimate: PPL = ([0-9.]+)")
PAIRS = [("f16", "f16"), ("q8_0", "q5_1")]


def ppl_of(samples: Sequence[Sample], key: str = "nll") -> float:
    tokens = sum(sample.values["tokens"] for sample in samples)
    return math.exp(sum(sample.values[key] for sample in samples) / tokens)


def perplexity(
    kv: tuple[str, str], recipe: PerplexityRecipe, corpus: Path, log: Path, libraries: str = ""
) -> list[Sample]:
    environment = {"LLAMA_CPP_LIB_PATH": libraries} if libraries else {}
    return run.perplexity(
        builtin_model(), *kv, recipe, corpus, THREADS, log, environment=environment
    )


@pytest.mark.parametrize("kv", PAIRS, ids="/".join)
def test_it_is_llama_perplexity_s_number(kv: tuple[str, str], tmp_path: Path) -> None:
    program, corpus = engine_binary("llama-perplexity"), real_corpus()
    command = [str(program), "-m", str(builtin_model()), "-f", str(corpus), "-fa", "on"]
    command += ["-c", "256", "-b", "512", "--chunks", "2", "-t", str(THREADS)]
    command += ["-ctk", kv[0], "-ctv", kv[1]]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=200)
    (theirs,) = FINAL.findall(said.stdout + said.stderr)
    recipe = PerplexityRecipe(n_ctx=256, chunks=2, batch=512)
    # With the very same libllama: to the last digit that llama-perplexity prints.
    same = perplexity(kv, recipe, corpus, tmp_path / "same.log", str(program.parent))
    assert ppl_of(same) == pytest.approx(float(theirs), rel=1e-5)
    # With another build of it, only rounding differs (vector instructions): per cents of a per cent
    # on a whole corpus, some tenths of a per cent on so few tokens.
    own = perplexity(kv, recipe, corpus, tmp_path / "own.log")
    assert ppl_of(own) == pytest.approx(float(theirs), rel=1e-2)


def test_batching_does_not_change_the_number_on_a_cpu(tmp_path: Path) -> None:
    corpus = corpus_path("builtin:wikitext2-64k")
    recipes = [PerplexityRecipe(n_ctx=64, chunks=3, batch=b, ubatch=32) for b in (48, 64, 128)]
    results = [perplexity(("f16", "f16"), r, corpus, tmp_path / "log") for r in recipes]
    assert [len(samples) for samples in results] == [3, 3, 3]
    assert ppl_of(results[1]) == pytest.approx(ppl_of(results[0]), rel=1e-3)
    assert ppl_of(results[2]) == pytest.approx(ppl_of(results[0]), rel=1e-3)


def test_divergence_is_zero_from_itself_and_grows_with_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, corpus = builtin_model(), corpus_path("builtin:wikitext2-64k")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    recipe = DivergenceRecipe(n_ctx=128, chunks=2, batch=128)

    def kld(kv: str) -> list[Sample]:
        return run.divergence(model, kv, kv, recipe, corpus, THREADS, tmp_path / "log")

    q8, q4, same = kld("q8_0"), kld("q4_0"), kld("f16")
    assert [sample.values["kld"] for sample in same] == [0.0, 0.0]
    assert all(a.values["kld"] < b.values["kld"] for a, b in zip(q8, q4, strict=True))
    assert ppl_of(q8, "nll_base") == ppl_of(q4, "nll_base") == ppl_of(same)


@pytest.mark.parametrize("name", KV_TYPES)
def test_every_type_has_a_number(name: str, tmp_path: Path) -> None:
    recipe = PerplexityRecipe(n_ctx=32, chunks=2, batch=64, ubatch=64)
    samples = perplexity((name, name), recipe, corpus_path("builtin:wikitext2-64k"), tmp_path / "l")
    assert 5 < ppl_of(samples) < 10_000


def test_a_type_of_a_fork_is_refused(tmp_path: Path) -> None:
    corpus = corpus_path("builtin:wikitext2-64k")
    with pytest.raises(EngineError) as raised:
        perplexity(("turbo3", "f16"), PerplexityRecipe(), corpus, tmp_path / "log")
    assert raised.value.diagnosis.kind is FailureKind.CAPABILITY_MISSING


def test_a_context_above_the_model_s_is_refused(tmp_path: Path) -> None:
    recipe = PerplexityRecipe(n_ctx=16_384, batch=512)
    with pytest.raises(EngineError) as raised:
        perplexity(("f16", "f16"), recipe, corpus_path("builtin:wikitext2-64k"), tmp_path / "log")
    assert raised.value.diagnosis.kind is FailureKind.CONTEXT_OVERFLOW


def test_a_file_that_is_no_model_is_diagnosed(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"no model at all")
    corpus = corpus_path("builtin:wikitext2-64k")
    with pytest.raises(EngineError) as raised:
        run.perplexity(
            tmp_path / "model.gguf", "f16", "f16", PerplexityRecipe(), corpus, 1, tmp_path / "log"
        )
    assert raised.value.diagnosis.kind is FailureKind.BAD_MODEL_FILE
    assert raised.value.log_tail
