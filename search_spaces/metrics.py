"""The metrics a space may name: what each means, its unit, and which way is better."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Direction(StrEnum):
    """Which way a metric improves."""

    MAXIMIZE = "maximize"
    MINIMIZE = "minimize"


class Facet(StrEnum):
    """One kind of measurement."""

    THROUGHPUT = "throughput"
    MEMORY = "memory"
    DEPTH = "depth"
    CEILING = "ceiling"
    PERPLEXITY = "perplexity"
    DIVERGENCE = "divergence"
    QUALITY = "quality"

    @property
    def belongs_to_rig(self) -> bool:
        """True for what another rig would measure differently (speed, memory)."""
        return self in (Facet.THROUGHPUT, Facet.MEMORY, Facet.DEPTH, Facet.CEILING)

    @property
    def build_role(self) -> str:
        """Which of an engine's builds makes its numbers: a server, or one that scores texts."""
        return "logits" if self in (Facet.PERPLEXITY, Facet.DIVERGENCE) else "server"


@dataclass(frozen=True, slots=True)
class Metric:
    """A named number. `derived` ones refer to the baseline and are computed when read."""

    name: str
    unit: str
    facet: Facet
    direction: Direction
    meaning: str
    derived: bool = False
    worst: float = 0.0  # told to the sampler, with a violated constraint, when a trial has none


_UP, _DOWN = Direction.MAXIMIZE, Direction.MINIMIZE

_ALL = (
    Metric("tok_s", "tok/s", Facet.THROUGHPUT, _UP, "generated tokens / generation time"),
    Metric("e2e_tok_s", "tok/s", Facet.THROUGHPUT, _UP, "generated tokens / request time"),
    Metric("prompt_tok_s", "tok/s", Facet.THROUGHPUT, _UP, "prompt tokens / prompt time"),
    Metric("ttft_ms", "ms", Facet.THROUGHPUT, _DOWN, "time to the first token", worst=1e6),
    Metric("acceptance", "share", Facet.THROUGHPUT, _UP, "accepted / drafted tokens"),
    Metric("accepted_len", "tokens", Facet.THROUGHPUT, _UP, "tokens per draft, one of the model's"),
    Metric("draft_n", "tokens", Facet.THROUGHPUT, _UP, "drafted tokens over the measured requests"),
    Metric("speedup", "x", Facet.THROUGHPUT, _UP, "tok/s over the baseline's, by prompt", True),
    Metric("joules_per_token", "J", Facet.THROUGHPUT, _DOWN, "energy / token", worst=1e6),
    Metric("power_w", "W", Facet.THROUGHPUT, _DOWN, "mean board power while generating", worst=1e5),
    Metric("mem_loaded_mib", "MiB", Facet.MEMORY, _DOWN, "memory after load", worst=1e9),
    Metric("mem_peak_mib", "MiB", Facet.MEMORY, _DOWN, "memory at its peak", worst=1e9),
    Metric("mem_predicted_mib", "MiB", Facet.MEMORY, _DOWN, "the memory model's figure", worst=1e9),
    Metric("tok_s_deep", "tok/s", Facet.DEPTH, _UP, "tok_s at the deepest request"),
    Metric("prompt_tok_s_deep", "tok/s", Facet.DEPTH, _UP, "prompt_tok_s at the deepest request"),
    Metric("ttft_deep_ms", "ms", Facet.DEPTH, _DOWN, "ttft_ms at the deepest request", worst=1e6),
    Metric("depth_max", "tokens", Facet.DEPTH, _UP, "context that the deepest request filled"),
    Metric("ctx_max", "tokens", Facet.CEILING, _UP, "longest context that works when full"),
    Metric("ppl", "ppl", Facet.PERPLEXITY, _DOWN, "perplexity of the corpus", worst=1e6),
    Metric("ppl_delta_pct", "%", Facet.PERPLEXITY, _DOWN, "change to baseline", True, 1e6),
    Metric("kld_mean", "nats", Facet.DIVERGENCE, _DOWN, "mean KL divergence", worst=100.0),
    Metric("kld_p999", "nats", Facet.DIVERGENCE, _DOWN, "99.9th percentile of KLD", worst=100.0),
    Metric("same_top_pct", "%", Facet.DIVERGENCE, _UP, "same most likely token"),
    Metric("quality_score", "of 3", Facet.QUALITY, _UP, "what generated programs do, 0 to 3"),
)

METRICS: dict[str, Metric] = {metric.name: metric for metric in _ALL}
