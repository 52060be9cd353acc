"""Three metrics at once: every candidate in a cube, what counts in colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dashboards.figures.front import HOVERED, Look, coloured_by
from dashboards.figures.hover import axis_title, hover
from dashboards.figures.theme import MUTED, layout, tints
from dashboards.figures.thinning import thinned
from search_spaces.metrics import Direction

if TYPE_CHECKING:
    from pandas import DataFrame
    from plotly.graph_objects import Figure

_SIZES = {"dominated": 3, "tied": 5, "front": 6}


def cube_figure(
    data: DataFrame,
    objectives: Mapping[str, Direction],
    axes: tuple[str, str, str],
    look: Look,
) -> Figure:
    """Scatter in three dimensions (across, depth, up = x, z, y), by the `level` of the frame.

    Logarithmic axes and colours as in the flat figure; rings and lines do not work in a cube.
    """
    import plotly.graph_objects as go

    x, y, z = axes
    shown = data[(data["level"] != "") & data[list(axes)].notna().all(axis=1)]
    by = look.tint or coloured_by(shown)
    tint_of = tints(shown[by].tolist())
    figure = go.Figure(
        layout=layout(
            height=560,
            scene={
                "xaxis": _axis(x, "x" in look.log),
                "yaxis": _axis(z, False),
                "zaxis": _axis(y, "y" in look.log),
            },
            meta={"colours": tint_of, "by": by},
        )
    )
    beaten = shown[shown["level"] == "dominated"]
    some = thinned(beaten, x, y)
    figure.layout.meta["thinned"] = [len(some), len(beaten)]
    metrics = tuple(dict.fromkeys((*objectives, *HOVERED)))
    for level, size in _SIZES.items():
        part = some if level == "dominated" else shown[shown["level"] == level]
        grey = level == "dominated" and not look.tint
        figure.add_trace(
            go.Scatter3d(
                x=part[x].tolist(),
                y=part[z].tolist(),
                z=part[y].tolist(),
                name=level,
                mode="markers",
                marker={
                    "size": size,
                    "color": [MUTED if grey else tint_of[str(v)] for v in part[by]],
                    "opacity": 0.5 if level == "dominated" else 1.0,
                    "symbol": ["diamond" if base else "circle" for base in part["baseline"]],
                },
                text=[hover(row, metrics) for row in part.to_dict("records")],
                hovertemplate="%{text}<extra></extra>",
                customdata=part["trial_id"].tolist(),
            )
        )
    return figure


def _axis(metric: str, log: bool) -> dict[str, Any]:
    return {
        "title": {"text": axis_title(metric)},
        "type": "log" if log else "linear",
        "color": MUTED,
        "gridcolor": MUTED,
        "showbackground": False,
    }
