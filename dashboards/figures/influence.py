"""What each setting explains, as bars."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dashboards.figures.hover import LABELS
from dashboards.figures.theme import PALETTE, layout
from orchestrator.analysis.influence import Influence

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def influence_figure(found: Mapping[str, Sequence[Influence]]) -> Figure | None:
    """A group of bars for each setting, a colour for each metric; None when nothing varies."""
    import plotly.graph_objects as go

    settings: dict[str, float] = {}
    for influences in found.values():
        for one in influences:
            settings[one.setting] = max(one.share, settings.get(one.setting, 0.0))
    if not settings:
        return None
    order = sorted(settings, key=lambda name: settings[name])
    figure = go.Figure(
        layout=layout(
            height=90 + 44 * len(order),
            xaxis={"range": [0, 1.08], "tickformat": ".0%", "title": {"text": "explains"}},
            yaxis={"type": "category", "showgrid": False},
            barmode="group",
            showlegend=len(found) > 1,
            legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "traceorder": "reversed"},
        )
    )
    for index, (metric, influences) in reversed(list(enumerate(found.items()))):
        share = {one.setting: one.share for one in influences}
        figure.add_trace(
            go.Bar(
                y=[html.escape(name) for name in order],
                x=[share.get(name) for name in order],
                orientation="h",
                name=LABELS.get(metric, metric),
                marker={"color": PALETTE[index % len(PALETTE)]},
                texttemplate="%{x:.0%}",
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{y} explains %{x:.0%}<extra>%{fullData.name}</extra>",
            )
        )
    return figure
