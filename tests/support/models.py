"""Real models, corpora and engines for tests, or a skip that says what is missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workers.models.builtin import builtin_path
from workers.models.errors import ModelError

DATA = Path(__file__).parents[1] / "data"
ENGINES_VARIABLE = "ORCHESTRATE_TEST_ENGINES"
CORPUS_VARIABLE = "ORCHESTRATE_TEST_CORPUS"


def engine_binary(name: str) -> Path:
    """A llama.cpp program (llama-server, llama-perplexity, ...) of the builds given to tests."""
    directory = os.environ.get(ENGINES_VARIABLE)
    if not directory:
        pytest.skip(f"{ENGINES_VARIABLE} names no directory with llama.cpp programs")
    path = Path(directory) / name
    if not path.is_file():
        pytest.skip(f"{ENGINES_VARIABLE} has no {name}")
    return path


def real_corpus() -> Path:
    """WikiText-2's wiki.test.raw."""
    path = os.environ.get(CORPUS_VARIABLE)
    if not path or not Path(path).is_file():
        pytest.skip(f"{CORPUS_VARIABLE} names no file wiki.test.raw")
    return Path(path)


def builtin_model(name: str = "smollm2-135m-Q4_1") -> Path:
    """A builtin model; downloads or makes it on first use."""
    try:
        return builtin_path(name)
    except ModelError as error:
        pytest.skip(f"builtin:{name} cannot be had here: {error}")


def test_drafter(name: str) -> Path:
    """A drafter of tests/data: "dflash-Q4_0" or "dflash2-identity-Q8_0"."""
    return DATA / f"smollm2-135m-instruct-{name}.gguf"


test_drafter.__test__ = False  # type: ignore[attr-defined]
