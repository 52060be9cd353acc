"""Objectives: which way each improves, and how small a loss does not matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from search_spaces.metrics import METRICS, Direction, Facet
from workers.statistics.comparison import Scale

# A difference inside the margin costs nothing in practice. Margins only decide what an
# *unproven* loss may be; a loss that was shown always counts. Relative ones are shares.
_MARGINS = {
    "ppl": 0.001,
    "acceptance": 0.01,
    "ppl_delta_pct": 0.1,
    "kld_mean": 0.001,
    "quality_score": 0.1,
}
_RELATIVE_MARGIN = 0.01
_EXACT = frozenset({"depth_max"})
_DIFFERENCES = frozenset(
    {"acceptance", "ppl_delta_pct", "kld_mean", "same_top_pct", "quality_score", "ctx"}
)


def direction_of(metric: str) -> Direction:
    """Which way is better; a larger context capacity is."""
    return METRICS[metric].direction if metric in METRICS else Direction.MAXIMIZE


def is_exact(metric: str) -> bool:
    """True for numbers without noise worth modelling: capacities and memory."""
    return metric not in METRICS or metric in _EXACT or METRICS[metric].facet is Facet.MEMORY


def margin_of(metric: str) -> float:
    """The practical margin on the scale of the metric's effects."""
    return 0.0 if is_exact(metric) else _MARGINS.get(metric, _RELATIVE_MARGIN)


def scale_of(metric: str) -> Scale:
    """How two values of the metric are compared: as a ratio, or as a difference."""
    if metric == "ppl":
        return Scale.PERCENT
    return Scale.DIFFERENCE if metric in _DIFFERENCES else Scale.RATIO


def oriented(value: float, direction: Direction) -> float:
    """The value with "more is better", whatever the metric."""
    return value if direction is Direction.MAXIMIZE else -value


def first_of(
    objectives: Mapping[str, Direction], facets: Sequence[Facet], way: Direction | None = None
) -> str | None:
    """The first objective that one of these facets measures, in this direction if one is given."""
    for metric, direction in objectives.items():
        if metric in METRICS and METRICS[metric].facet in facets and way in (None, direction):
            return metric
    return None
