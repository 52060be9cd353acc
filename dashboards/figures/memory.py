"""The memory model against what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboards.figures.front import coloured_by
from dashboards.figures.hover import hover
from dashboards.figures.marks import points
from dashboards.figures.theme import MUTED, colours, layout
from dashboards.figures.thinning import thinned

if TYPE_CHECKING:
    from pandas import DataFrame
    from plotly.graph_objects import Figure

PREDICTED, PEAK = "mem_predicted_mib", "mem_peak_mib"


def memory_figure(data: DataFrame) -> Figure | None:
    """Predicted across, measured peak up; above the diagonal the model promised too little.

    None when no candidate has both.
    """
    import plotly.graph_objects as go

    if PREDICTED not in data or PEAK not in data:
        return None
    known = thinned(data, PREDICTED, PEAK)
    if not len(known):
        return None
    by = coloured_by(known)
    tints = colours(known[by].astype(str))
    known = known.assign(hover=[hover(row, (PREDICTED, PEAK)) for row in known.to_dict("records")])
    both = [*known[PREDICTED], *known[PEAK]]
    ends = [min(both) * 0.95, max(both) * 1.05]
    figure = go.Figure(
        layout=layout(
            height=320,
            xaxis={"title": {"text": "predicted (MiB)"}},
            yaxis={"title": {"text": "peak that was measured (MiB)"}},
            meta={"colours": tints, "by": by},
        )
    )
    figure.add_trace(
        go.Scatter(
            x=ends,
            y=ends,
            mode="lines",
            line={"color": MUTED, "width": 1, "dash": "dot"},
            hoverinfo="skip",
        )
    )
    tint = [tints[str(value)] for value in known[by]]
    figure.add_trace(points(known, PREDICTED, PEAK, tint, size=8, opacity=0.8))
    return figure
