"""Simulated throughput measurements with known truth: launch effects, pass noise, fixed prompts.

For benchmarks of the statistics only: nothing here is a measurement of an engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workers.contract.outcome import Sample

if TYPE_CHECKING:
    from numpy.random import Generator

TOKENS = 128.0


@dataclass(frozen=True, slots=True)
class Protocol:
    """How often is measured, and how noisy: standard deviations as shares (0.01 = 1 %)."""

    launches: int = 2
    passes: int = 2
    prompts: int = 8
    launch_sd: float = 0.01
    pass_sd: float = 0.02


def prompt_times(rng: Generator, prompts: int, rate: float = 80.0) -> list[float]:
    """True ms per request: prompts differ up to threefold; the suite's rate is `rate` tok/s."""
    raw = rng.uniform(1.0, 3.0, prompts)
    return [float(t) for t in raw * (1000.0 * TOKENS / rate / raw.mean())]


def measure(rng: Generator, times: list[float], how: Protocol) -> tuple[Sample, ...]:
    """One simulated measurement: normal launch effects, Student-t(4) pass noise."""
    samples = []
    for launch in range(how.launches):
        effect = float(rng.normal(0.0, how.launch_sd)) if how.launch_sd else 0.0
        noise = rng.standard_t(4, (how.passes, how.prompts)) * (how.pass_sd / 2**0.5)
        for repeat in range(how.passes):
            for index, time in enumerate(times):
                ms = time * (1.0 + effect) * max(1.0 + float(noise[repeat, index]), 0.2)
                values = {"predicted_n": TOKENS + 1, "predicted_ms": ms}
                samples.append(Sample(f"p{index}", values, launch, repeat))
    return tuple(samples)
