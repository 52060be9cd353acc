"""From raw requests to one value per launch, each prompt counted once.

A suite's prompts are fixed: they may differ threefold in speed without adding uncertainty. So a
launch is summarised over the same prompts every time, and only launches are compared.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workers.contract.outcome import Sample
from workers.statistics.ratios import Ratio


@dataclass(frozen=True, slots=True)
class Launches:
    """One value per launch over the same `prompts`; `requests` is how many samples stand behind.

    `values` are on the metric's own scale, `total` is the estimate from all of them.
    """

    ratio: Ratio
    prompts: frozenset[str]
    values: tuple[float, ...]
    total: float
    requests: int

    @property
    def scores(self) -> tuple[float, ...]:
        """The values on the scale where their errors add: logarithms for relative metrics."""
        return tuple(map(math.log, self.values)) if self.ratio.relative else self.values


def prompts_of(samples: Iterable[Sample], ratio: Ratio) -> frozenset[str]:
    """The prompts that every launch measured."""
    seen: dict[int, set[str]] = defaultdict(set)
    for sample in samples:
        if ratio.parts(sample.values) is not None:
            seen[sample.launch].add(sample.label)
    return frozenset(set.intersection(*seen.values())) if seen else frozenset()


def by_launch(
    samples: Sequence[Sample], ratio: Ratio, prompts: frozenset[str] | None = None
) -> Launches | None:
    """Summarises each launch over `prompts` (default: those that every launch measured).

    Within a launch a prompt's passes are averaged first, so an unfinished last pass does not
    weigh its prompts more. None when nothing was recorded, or a relative metric is not above 0.
    """
    kept = prompts_of(samples, ratio)
    kept = kept if prompts is None else kept & prompts
    cells: dict[int, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    requests = 0
    for sample in samples:
        parts = ratio.parts(sample.values)
        if parts is not None and sample.label in kept:
            cells[sample.launch][sample.label].append(parts)
            requests += 1
    sums = [_sum_of_means(cells[launch].values()) for launch in sorted(cells)]
    if not sums or any(under <= 0 or (ratio.relative and over <= 0) for over, under in sums):
        return None
    values = tuple(ratio.factor * over / under for over, under in sums)
    total = ratio.factor * sum(over for over, _ in sums) / sum(under for _, under in sums)
    return Launches(ratio, kept, values, total, requests)


def _sum_of_means(prompts: Iterable[list[tuple[float, float]]]) -> tuple[float, float]:
    over = under = 0.0
    for passes in prompts:
        over += sum(part for part, _ in passes) / len(passes)
        under += sum(part for _, part in passes) / len(passes)
    return over, under
