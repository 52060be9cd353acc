"""What more passes of the same launches could still narrow: the rule for stopping repetitions."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from workers.contract.outcome import Sample
from workers.statistics.quantiles import CONFIDENCE, t_quantile


def within_launch_precision(
    samples: Sequence[Sample], confidence: float = CONFIDENCE
) -> float | None:
    """Relative half-width of tok/s due to pass noise alone, launches taken as they are.

    More passes narrow this and nothing else: what launches differ by stays. So a worker repeats
    passes until this is below the wanted precision, and then stops. Pass noise is pooled over
    prompts in relative terms. None while no prompt has been repeated within a launch.
    """
    cells: dict[tuple[int, str], list[float]] = defaultdict(list)
    for sample in samples:
        if (ms := sample.values.get("predicted_ms", 0.0)) > 0:
            cells[sample.launch, sample.label].append(ms)
    df = sum(len(times) - 1 for times in cells.values())
    if df < 1:
        return None
    means = {cell: sum(times) / len(times) for cell, times in cells.items()}
    squares = sum((t / means[cell] - 1) ** 2 for cell, times in cells.items() for t in times)
    whole = sum(means.values())
    shares = sum((means[cell] / whole) ** 2 / len(times) for cell, times in cells.items())
    return t_quantile(df, confidence) * math.sqrt(squares / df * shares)
