"""The front: every measured candidate in two metrics, what counts in colour."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dashboards.figures import frontier
from dashboards.figures.hover import axis_title, hover
from dashboards.figures.marks import points
from dashboards.figures.theme import MUTED, colours, layout, symbols, tints
from dashboards.figures.thinning import MOST_TIES, thinned
from search_spaces.metrics import METRICS, Direction, Facet

if TYPE_CHECKING:
    from pandas import DataFrame
    from plotly.graph_objects import Figure

HOVERED = ("tok_s", "speedup", "acceptance", "ppl", "ppl_delta_pct", "kld_mean", "mem_peak_mib")
_COLOURED_BY = ("model", "kv", "spec", "ctx")
_MOST_LINES = 6  # fronts that are joined by a line


@dataclass(frozen=True, slots=True)
class Look:
    """How the front is drawn: settings that colours and symbols tell apart ("" for the usual),
    logarithmic axes (of x, y), and what else is drawn (failed, over)."""

    tint: str = ""
    mark: str = ""
    log: frozenset[str] = frozenset()
    show: frozenset[str] = frozenset()


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


def front_figure(
    data: DataFrame,
    objectives: Mapping[str, Direction],
    axes: tuple[str | None, str] | None = None,
    look: Look | None = None,
) -> Figure:
    """Scatter of the candidates that take part, by the `level` of the frame.

    Filled: on the front. Open: tied with it. Small: beaten (grey, unless a colour was asked
    for; thinned when there are very many). A star: a baseline. A cross: failed or over a limit,
    on request only. Error bars (95 %) on what counts; the line joins each front's leaders, the
    band says where the line may lie.
    """
    import plotly.graph_objects as go

    look = look or Look()
    x, y = axes or axes_of(objectives)
    shown = data[data["level"] != ""].copy()
    if x is None:
        x = "rank"
        shown[x] = shown[y].rank(ascending=objectives[y] is Direction.MINIMIZE, method="first")
    metrics = tuple(dict.fromkeys((*objectives, *HOVERED)))
    by = look.tint or (coloured_by(shown) if len(shown) else "model")
    tint_of = tints(shown[by].tolist()) if look.tint else colours(shown[by].astype(str))
    figure = go.Figure(
        layout=layout(
            height=460,
            xaxis=_axis(x, objectives, "x" in look.log),
            yaxis=_axis(y, objectives, "y" in look.log),
            meta={"colours": tint_of, "by": by},
        )
    )
    symbol_of = symbols(shown[look.mark].tolist()) if look.mark else {}

    def drawn(name: str, part: DataFrame, **how: Any) -> None:
        part = part.assign(hover=[hover(row, metrics) for row in part.to_dict("records")])
        tint = how.pop("tint", None) or [tint_of[str(value)] for value in part[by]]
        if symbol_of and "symbol" not in how:
            how["symbol"] = [symbol_of[str(value)] for value in part[look.mark]]
        figure.add_trace(points(part, x, y, tint, **how).update(name=name))

    beaten = shown[(shown["level"] == "dominated") & ~shown["baseline"]]
    some = thinned(beaten, x, y)
    figure.layout.meta["thinned"] = [len(some), len(beaten)]
    grey = None if look.tint else [MUTED] * len(some)
    drawn("beaten", some, tint=grey, size=7, opacity=0.45)
    if x != "rank":
        for _, leaders in list(_fronts(shown))[:_MOST_LINES]:
            figure.add_traces(frontier.traces(leaders, x, y, objectives))
    for level, is_open in (("tied", True), ("front", False)):
        part = shown[(shown["level"] == level) & ~shown["baseline"]]
        some = thinned(part, x, y, MOST_TIES) if is_open else part
        if is_open:
            figure.layout.meta["ties"] = [len(some), len(part)]
        drawn(level, some, size=11, is_open=is_open, bars=True)
    stars = shown[shown["baseline"]]
    opened = [level != "front" for level in stars["level"]]
    drawn("baseline", stars, size=15, symbol="star", is_open=opened, bars=True)
    _label_picks(figure, shown, x, y, look)
    for part in _others(data, x, y, look):
        drawn("not in it", part, tint=[MUTED] * len(part), size=9, symbol="x-thin", opacity=0.9)
    return figure


def _axis(metric: str, objectives: Mapping[str, Direction], log: bool) -> dict[str, Any]:
    return {"title": {"text": _title(metric, objectives)}, "type": "log" if log else "linear"}


def _title(metric: str, objectives: Mapping[str, Direction]) -> str:
    if metric == "rank":
        return "candidates, best first"
    better = "more" if objectives[metric] is Direction.MAXIMIZE else "less"
    return f"{axis_title(metric)} · {better} is better"


def _fronts(shown: DataFrame) -> Any:
    """The leaders of each front; a frame of one front has no column for it."""
    leaders = shown[shown["level"] == "front"]
    return leaders.groupby("group", sort=False) if "group" in leaders else [("", leaders)]


def _others(data: DataFrame, x: str, y: str, look: Look) -> list[DataFrame]:
    """What is off the graph unless it was asked for; only what has a place in it.

    A failed candidate with a known value across stands at the lower edge.
    """
    if x not in data:
        return []
    made = []
    if "over" in look.show:
        over = data[(data["state"] == "complete") & (data["level"] == "")]
        made.append(over[over[x].notna() & over[y].notna()])
    if "failed" in look.show:
        failed = data[(data["state"] == "failed") & data[x].notna()]
        made.append(failed.assign(**{y: failed[y].fillna(data[y].min())}))
    return [part for part in made if len(part)]


def _label_picks(figure: Figure, shown: DataFrame, x: str, y: str, look: Look) -> None:
    """Names the recommended points; the one with a draft only where it is not beaten."""
    picked = shown[shown["picks"].map(len) > 0] if len(shown) else shown
    if not len(picked):
        return
    middle = (shown[x].min() + shown[x].max()) / 2
    near = (shown[y].max() - shown[y].min()) / 12
    above: list[float] = []
    for row in picked.sort_values(y, ascending=False).to_dict("records"):
        titles = [t for t in row["picks"] if t != "Best with a draft"]
        if titles and row[x] == row[x] and row[y] == row[y]:
            left = row[x] > middle
            crowded = any(abs(row[y] - other) < near for other in above)
            above.append(row[y])
            figure.add_annotation(
                x=_placed(row[x], "x" in look.log),
                y=_placed(row[y], "y" in look.log),
                text="<br>".join(titles),
                showarrow=False,
                xanchor="right" if left else "left",
                xshift=-12 if left else 12,
                yshift=-16 if crowded else 16,
                align="right" if left else "left",
                font={"size": 12},
            )


def _placed(value: float, log: bool) -> float:
    """A coordinate as annotations want it: they take logarithms on a logarithmic axis."""
    return math.log10(value) if log and value > 0 else value
