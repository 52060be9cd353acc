"""How a front grew while the sweep ran."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dashboards.figures.theme import PALETTE, layout
from orchestrator.analysis.course import Step

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def course_figure(steps: Sequence[Step], busy_s: Mapping[int, float] | None = None) -> Figure:
    """The share of the final hypervolume after each trial or, with `busy_s` (seconds of the rigs
    by trial id), after each minute of the rigs."""
    import plotly.graph_objects as go

    if busy_s is None:
        kept, across = list(steps), "trials that have ended"
        xs = [float(step.trials) for step in kept]
    else:
        kept, across = [s for s in steps if s.trial_id in busy_s], "time of the rigs (min)"
        xs = [busy_s[step.trial_id] / 60 for step in kept]
    figure = go.Figure(
        layout=layout(
            height=260,
            xaxis={"title": {"text": across}, "rangemode": "tozero"},
            yaxis={"title": {"text": "of the final front"}, "tickformat": ".0%"},
        )
    )
    figure.add_trace(
        go.Scatter(
            x=xs,
            y=[step.share for step in kept],
            mode="lines",
            line={"shape": "hv", "width": 2, "color": PALETTE[0]},
            hovertemplate="%{y:.1%} after %{x:.4g}<extra></extra>",
        )
    )
    return figure
