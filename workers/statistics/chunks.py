"""Perplexity and KL divergence from per-chunk sums."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workers.contract.outcome import Estimate, Sample
from workers.statistics.quantiles import CONFIDENCE, t_quantile


def per_token(sums: Sequence[float], tokens: Sequence[float]) -> tuple[float, float | None, float]:
    """Mean per token of chunk sums, its standard error and degrees of freedom.

    A ratio estimator: chunks weigh by their tokens; the error comes from the residuals between
    chunks. The error is None for a single chunk. Raises ValueError without tokens.
    """
    whole, n = sum(tokens), len(sums)
    if whole <= 0:
        raise ValueError("no scored tokens")
    mean = sum(sums) / whole
    if n < 2:
        return mean, None, 0.0
    squares = sum((s - mean * t) ** 2 for s, t in zip(sums, tokens, strict=True))
    return mean, math.sqrt(squares * n / (n - 1)) / whole, n - 1.0


def perplexity(chunks: Sequence[Sample], confidence: float = CONFIDENCE) -> Estimate:
    """exp(mean nll per token) with the interval for text of this kind; `n` counts chunks.

    The interval is wide because chunks of text differ. To compare two configurations use
    `paired.compare_perplexity`, where what the text contributes cancels.
    """
    mean, half = _interval(chunks, "nll", confidence)
    low, high = (None, None) if half is None else (math.exp(mean - half), math.exp(mean + half))
    return Estimate("ppl", math.exp(mean), low, high, len(chunks))


def divergence(chunks: Sequence[Sample], confidence: float = CONFIDENCE) -> Estimate:
    """Mean KL divergence per token, nats; `n` counts chunks."""
    mean, half = _interval(chunks, "kld", confidence)
    low, high = (None, None) if half is None else (max(mean - half, 0.0), mean + half)
    return Estimate("kld_mean", mean, low, high, len(chunks))


def _interval(chunks: Sequence[Sample], key: str, confidence: float) -> tuple[float, float | None]:
    values = [chunk.values for chunk in chunks]
    mean, se, df = per_token([v[key] for v in values], [v["tokens"] for v in values])
    return mean, None if se is None else t_quantile(df, confidence) * se
