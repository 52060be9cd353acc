"""Small builders of raw samples for the statistics' tests."""

from __future__ import annotations

from collections.abc import Sequence

from workers.contract.outcome import Sample


def timed(launches: Sequence[Sequence[Sequence[float]]], tokens: float = 100.0) -> list[Sample]:
    """launches[l][r][p] is the time (ms) of prompt p in pass r of launch l."""
    return [
        Sample(f"p{p}", {"predicted_n": tokens + 1, "predicted_ms": ms}, launch, repeat)
        for launch, passes in enumerate(launches)
        for repeat, prompts in enumerate(passes)
        for p, ms in enumerate(prompts)
    ]


def chunks(nlls: Sequence[float], tokens: float = 256.0, key: str = "nll") -> list[Sample]:
    """One sample per chunk."""
    return [Sample(str(i), {key: nll, "tokens": tokens}) for i, nll in enumerate(nlls)]
