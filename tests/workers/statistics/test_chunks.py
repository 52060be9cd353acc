"""Perplexity from chunks."""

from __future__ import annotations

import math

import pytest

from tests.workers.statistics.samples import chunks
from workers.contract.outcome import Sample
from workers.statistics.chunks import divergence, per_token, perplexity


def test_perplexity_is_the_exponential_of_the_mean_over_tokens() -> None:
    parts = [
        Sample("0", {"nll": 100.0, "tokens": 100.0}),
        Sample("1", {"nll": 900.0, "tokens": 300.0}),
    ]
    assert perplexity(parts).value == pytest.approx(math.exp(2.5))


def test_one_chunk_has_no_interval() -> None:
    assert perplexity(chunks([100])).low is None


def test_more_chunks_narrow_the_interval() -> None:
    few, many = perplexity(chunks([500, 700] * 2)), perplexity(chunks([500, 700] * 20))
    assert few.high is not None and many.high is not None
    assert many.high < few.high


def test_no_tokens_is_an_error() -> None:
    with pytest.raises(ValueError, match="no scored tokens"):
        per_token([1.0], [0.0])


def test_divergence_is_never_below_zero() -> None:
    assert divergence(chunks([0.0, 5.0], key="kld")).low == 0.0
