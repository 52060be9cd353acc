"""Parallel coordinates: every candidate as a line through its settings and its numbers."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dashboards.figures.hover import axis_title
from dashboards.figures.theme import MUTED, layout
from dashboards.figures.thinning import thinned

if TYPE_CHECKING:
    from pandas import DataFrame
    from plotly.graph_objects import Figure

_SETTINGS = ("rig", "engine", "model", "kv_k", "kv_v", "ctx", "spec", "n_max")
_SCALE = [[0.0, "#2f78bd"], [0.5, "#a09d8a"], [1.0, "#e69f00"]]


def parallel_figure(data: DataFrame, metrics: Iterable[str]) -> Figure | None:
    """Settings that vary, then `metrics`; coloured by the last metric that is there.

    Drag along an axis to keep only what passes there. None with fewer than two axes.
    """
    import plotly.graph_objects as go

    numbers = [m for m in metrics if m in data and data[m].notna().any()]
    if not numbers:
        return None
    known = data[(data["state"] == "complete") & data[numbers].notna().all(axis=1)]
    known = thinned(known, numbers[0], numbers[-1], most=2_000)
    axes = [_of_setting(known, name) for name in _SETTINGS if known[name].nunique() > 1]
    axes += [
        {"label": axis_title(name), "values": known[name].tolist()}
        for name in numbers
        if known[name].nunique() > 1
    ]
    if len(axes) < 2:
        return None
    last = known[numbers[-1]]
    lines = {
        "color": last.tolist(),
        "colorscale": _SCALE,
        "cmin": float(last.min()),
        "cmax": float(last.max()),
    }
    grey = {"color": MUTED, "size": 12}
    trace = go.Parcoords(dimensions=axes, line=lines, labelfont=grey, tickfont=grey, rangefont=grey)
    return go.Figure(trace, layout=layout(height=380, margin={"l": 60, "r": 60, "t": 50, "b": 24}))


def _of_setting(data: DataFrame, name: str) -> dict[str, Any]:
    """Numbers as they are; names numbered, in the order in which they first occur."""
    values = data[name].tolist()
    unique = list(dict.fromkeys(values))
    if all(isinstance(value, int | float) for value in unique):
        return {"label": name, "values": values, "tickvals": sorted(unique)}
    places = {value: index for index, value in enumerate(unique)}
    return {
        "label": name,
        "values": [places[value] for value in values],
        "tickvals": list(range(len(unique))),
        "ticktext": [html.escape(str(value)) for value in unique],
    }
