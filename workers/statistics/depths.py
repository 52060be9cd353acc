"""Speed against depth: the same ratios as throughput's, over the requests of one depth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workers.contract.outcome import Estimate, Sample
from workers.statistics.launches import by_launch
from workers.statistics.rate import of_launches
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import Spread

SPEED_AT = {"tok_s_deep": "tok_s", "prompt_tok_s_deep": "prompt_tok_s", "ttft_deep_ms": "ttft_ms"}
"""What each metric of the deepest requests is called at any depth."""

DEEP_RATIOS = {deep: replace(RATIOS[metric], metric=deep) for deep, metric in SPEED_AT.items()}
"""The ratios of the deepest requests, by the metric that they are there."""


@dataclass(frozen=True, slots=True)
class AtDepth:
    """What was measured at one depth: `tokens` of prompt (the longest), estimates by metric."""

    depth: str
    tokens: int
    estimates: tuple[Estimate, ...]


def by_depth(samples: Sequence[Sample]) -> dict[str, tuple[Sample, ...]]:
    """The samples of each depth, the deepest last."""
    found: dict[str, list[Sample]] = defaultdict(list)
    for sample in sorted(samples, key=_tokens):
        found[sample.group].append(sample)
    return {depth: tuple(own) for depth, own in found.items()}


def deepest(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """The samples of the deepest requests; none of none."""
    return next(reversed(by_depth(samples).values()), ())


def curve(
    samples: Sequence[Sample], spreads: Mapping[str, Spread] | None = None
) -> tuple[AtDepth, ...]:
    """Every ratio at every depth, the deepest last; `spreads` by metric, where known."""
    return tuple(
        AtDepth(
            depth,
            int(max(map(_tokens, own))),
            tuple(
                of_launches(launches, (spreads or {}).get(metric))
                for metric, ratio in RATIOS.items()
                if (launches := by_launch(own, ratio)) is not None
            ),
        )
        for depth, own in by_depth(samples).items()
    )


def estimates(
    samples: Sequence[Sample], spreads: Mapping[str, Spread] | None = None
) -> tuple[Estimate, ...]:
    """The metrics of the depth facet: speeds at the deepest, and how much context was filled."""
    own = deepest(samples)
    made = [
        of_launches(launches, (spreads or {}).get(metric))
        for metric, ratio in DEEP_RATIOS.items()
        if (launches := by_launch(own, ratio)) is not None
    ]
    if own:
        filled = max(sample.values["prompt_n"] + sample.values["predicted_n"] for sample in own)
        made.append(Estimate("depth_max", filled, n=len(own)))
    return tuple(made)


def _tokens(sample: Sample) -> float:
    return sample.values.get("depth", 0.0)
