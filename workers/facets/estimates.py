"""From raw samples to the estimates of a facet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workers.contract.job import StoppingRule
from workers.contract.outcome import Estimate, Sample
from workers.statistics import chunks, rate
from workers.statistics.spread import Spread


def throughput(
    samples: Sequence[Sample], rule: StoppingRule, telemetry: Mapping[str, float]
) -> tuple[Estimate, ...]:
    """Speeds, latency, acceptance and energy with intervals; power where the rig tells it."""
    spread = {"tok_s": Spread(*rule.spread)} if rule.spread else None
    made = list(rate.estimates(samples, spread))
    drafted = sum(sample.values.get("draft_n", 0.0) for sample in samples)
    made.append(Estimate("draft_n", drafted, n=len(samples)))
    made.extend(_told(telemetry, ("power_w",)))
    return tuple(made)


def memory(telemetry: Mapping[str, float], predicted_mib: float | None) -> tuple[Estimate, ...]:
    """Memory after load and at its peak, MiB, and what the memory model expected after load."""
    measured = _told(telemetry, ("mem_loaded_mib", "mem_peak_mib"))
    if predicted_mib is None:
        return measured
    return (*measured, Estimate("mem_predicted_mib", predicted_mib))


def perplexity(samples: Sequence[Sample]) -> tuple[Estimate, ...]:
    """Perplexity of the scored chunks."""
    return (chunks.perplexity(samples),)


def divergence(samples: Sequence[Sample]) -> tuple[Estimate, ...]:
    """KL divergence and top-token agreement over the scored chunks."""
    made = [chunks.divergence(samples)]
    tokens = sum(sample.values["tokens"] for sample in samples)
    if all("kld_p999" in sample.values for sample in samples):
        worst = max(sample.values["kld_p999"] for sample in samples)
        made.append(Estimate("kld_p999", worst, n=len(samples)))
    if all("same_top" in sample.values for sample in samples):
        same = sum(s.values["same_top"] * s.values["tokens"] for s in samples) / tokens
        made.append(Estimate("same_top_pct", 100.0 * same, n=len(samples)))
    return tuple(made)


def _told(telemetry: Mapping[str, float], names: Sequence[str]) -> tuple[Estimate, ...]:
    return tuple(Estimate(name, telemetry[name]) for name in names if name in telemetry)
