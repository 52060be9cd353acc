"""The line of a front and the band in which it lies: steps through its leaders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dashboards.figures.theme import MUTED
from search_spaces.metrics import Direction

if TYPE_CHECKING:
    from pandas import DataFrame

Point = tuple[float, float]
_BAND = "rgba(139,147,161,0.16)"


def traces(
    leaders: DataFrame, x: str, y: str, objectives: Mapping[str, Direction], tint: str = MUTED
) -> list[Any]:
    """The band (two traces, where intervals are known), then the line; nothing for no leader.

    The band reaches from the steps through every leader's worst corner of its 95 % intervals to
    those through its best.
    """
    import plotly.graph_objects as go

    ways = objectives[x], objectives[y]
    middle = steps([(row[x], row[y]) for row in leaders.to_dict("records")], ways)
    if not middle:
        return []
    made = []
    worst, best = (steps(corners(leaders, x, y, ways, good), ways) for good in (False, True))
    if worst != middle or best != middle:
        # Both edges begin and end at the same place across, or the fill would cut corners.
        worst = [(best[0][0], worst[0][1]), *worst]
        best = [*best, (worst[-1][0], best[-1][1])]
        made = [_stairs(go, worst, width=0), _stairs(go, best, width=0)]
        made[1].update(fill="tonexty", fillcolor=_BAND, name="band")
    line = _stairs(go, middle, width=1.5)
    line.update(line={"color": tint, "dash": "dot"}, name="line")
    return [*made, line]


def steps(points: Sequence[Point], ways: tuple[Direction, Direction]) -> list[Point]:
    """Those points that no other beats in both, the best of the first metric first."""
    across, up = (1.0 if way is Direction.MINIMIZE else -1.0 for way in ways)
    kept: list[Point] = []
    for point in sorted(points, key=lambda p: (across * p[0], up * p[1])):
        if not kept or up * point[1] < up * kept[-1][1]:
            kept.append(point)
    return kept


def corners(
    rows: DataFrame, x: str, y: str, ways: tuple[Direction, Direction], good: bool
) -> list[Point]:
    """The best (`good`) or worst corner of each row's intervals; its value where it has none."""
    found = []
    for row in rows.to_dict("records"):
        point = []
        for name, way in zip((x, y), ways, strict=True):
            low_is_good = way is Direction.MINIMIZE
            side = "low" if low_is_good is good else "high"
            bound = row.get(f"{name}_{side}")
            point.append(row[name] if bound is None or bound != bound else bound)
        found.append((point[0], point[1]))
    return found


def _stairs(go: Any, points: list[Point], width: float) -> Any:
    return go.Scatter(
        x=[point[0] for point in points],
        y=[point[1] for point in points],
        mode="lines",
        line={"shape": "hv", "width": width, "color": MUTED},
        hoverinfo="skip",
    )
