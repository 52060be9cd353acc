"""The front: every measured candidate in two objectives, what counts in colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dashboards.figures.hover import axis_title, hover
from dashboards.figures.marks import points
from dashboards.figures.theme import MUTED, colours, layout
from search_spaces.metrics import METRICS, Direction, Facet

if TYPE_CHECKING:
    from pandas import DataFrame
    from plotly.graph_objects import Figure

_HOVERED = ("tok_s", "speedup", "acceptance", "ppl", "ppl_delta_pct", "kld_mean", "mem_peak_mib")
_COLOURED_BY = ("model", "kv", "spec", "ctx")


def axes_of(objectives: Mapping[str, Direction]) -> tuple[str | None, str]:
    """Which objectives go across and up: quality (or the second goal) and speed.

    Across is None when there is a single objective: candidates then stand in order.
    """
    names = list(objectives)
    facets = {m: METRICS[m].facet for m in names if m in METRICS}
    speed = [m for facet in (Facet.THROUGHPUT, Facet.DEPTH) for m in facets if facets[m] is facet]
    up = speed[0] if speed else names[0]
    others = [m for m in names if m != up]
    return (others[0] if others else None), up


def coloured_by(data: DataFrame) -> str:
    """The setting that colours tell apart: the first that differs."""
    return next((name for name in _COLOURED_BY if data[name].nunique() > 1), "model")


def front_figure(data: DataFrame, objectives: Mapping[str, Direction]) -> Figure:
    """Scatter of the candidates that take part; failed and ruled out ones are not drawn.

    Filled: on the front. Open: tied with it. Small and grey: beaten. A star: a baseline. Error
    bars (95 %) on what counts, both ways; the line joins the front's leaders.
    """
    import plotly.graph_objects as go

    x, y = axes_of(objectives)
    shown = data[data["level"] != ""].copy()
    if x is None:
        x = "rank"
        shown[x] = shown[y].rank(ascending=objectives[y] is Direction.MINIMIZE, method="first")
    metrics = tuple(dict.fromkeys((*objectives, *_HOVERED)))
    shown["hover"] = [hover(row, metrics) for row in shown.to_dict("records")]
    by = coloured_by(shown) if len(shown) else "model"
    tints = colours(shown[by].astype(str))
    figure = go.Figure(
        layout=layout(
            height=460,
            xaxis={"title": {"text": _title(x, objectives)}},
            yaxis={"title": {"text": _title(y, objectives)}},
            meta={"colours": tints, "by": by},
        )
    )
    beaten = shown[(shown["level"] == "dominated") & ~shown["baseline"]]
    figure.add_trace(points(beaten, x, y, [MUTED] * len(beaten), size=7, opacity=0.45))
    if x != "rank":
        figure.add_trace(_staircase(shown[shown["level"] == "front"], x, y, objectives))
    for level, is_open in (("tied", True), ("front", False)):
        part = shown[(shown["level"] == level) & ~shown["baseline"]]
        tint = [tints[str(value)] for value in part[by]]
        figure.add_trace(points(part, x, y, tint, size=11, is_open=is_open, bars=True))
    stars = shown[shown["baseline"]]
    figure.add_trace(
        points(
            stars,
            x,
            y,
            [tints[str(value)] for value in stars[by]],
            size=15,
            symbol="star",
            is_open=[level != "front" for level in stars["level"]],
            bars=True,
        )
    )
    _label_picks(figure, shown, x, y)
    return figure


def _title(metric: str, objectives: Mapping[str, Direction]) -> str:
    if metric == "rank":
        return "candidates, best first"
    better = "more" if objectives[metric] is Direction.MAXIMIZE else "less"
    return f"{axis_title(metric)} · {better} is better"


def _staircase(leaders: DataFrame, x: str, y: str, objectives: Mapping[str, Direction]) -> Any:
    """The edge of what is reachable: steps through the leaders of these two objectives."""
    import plotly.graph_objects as go

    rising = objectives.get(x) is Direction.MINIMIZE
    ordered = leaders.sort_values(x, ascending=rising)
    keep, best = [], None
    for value in ordered[y]:
        better = best is None or (
            value > best if objectives[y] is Direction.MAXIMIZE else value < best
        )
        keep.append(better)
        best = value if better else best
    steps = ordered[keep]
    return go.Scatter(
        x=steps[x].tolist(),
        y=steps[y].tolist(),
        mode="lines",
        line={"shape": "hv", "width": 1.5, "color": MUTED, "dash": "dot"},
        hoverinfo="skip",
    )


def _label_picks(figure: Figure, shown: DataFrame, x: str, y: str) -> None:
    """Names the recommended points; the one with a draft only where it is not beaten."""
    middle = (shown[x].min() + shown[x].max()) / 2 if len(shown) else 0.0
    for row in shown.to_dict("records"):
        titles = [t for t in row["picks"] if t != "Best with a draft"]
        if titles:
            left = row[x] > middle
            figure.add_annotation(
                x=row[x],
                y=row[y],
                text="<br>".join(titles),
                showarrow=False,
                xanchor="right" if left else "left",
                xshift=-12 if left else 12,
                yshift=16,
                align="right" if left else "left",
                font={"size": 12},
            )
