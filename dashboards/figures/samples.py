"""The raw observations behind a number: each request's speed, launch by launch."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dashboards.figures.hover import axis_title
from dashboards.figures.theme import PALETTE, layout
from workers.contract.outcome import Sample
from workers.statistics.ratios import RATIOS

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def samples_figure(samples: Sequence[Sample], metric: str) -> Figure | None:
    """One dot per request, prompts across, a colour for each launch; None without such samples.

    `metric` is one of RATIOS.
    """
    import plotly.graph_objects as go

    ratio = RATIOS[metric]
    rows = []
    for sample in samples:
        parts = ratio.parts(sample.values)
        if parts is not None and parts[1] > 0:
            rows.append((sample, ratio.factor * parts[0] / parts[1]))
    if not rows:
        return None
    figure = go.Figure(
        layout=layout(
            height=240,
            xaxis={"type": "category", "tickfont": {"size": 11}},
            yaxis={"title": {"text": axis_title(metric)}, "rangemode": "tozero"},
        )
    )
    for launch in sorted({sample.launch for sample, _ in rows}):
        own = [(sample, value) for sample, value in rows if sample.launch == launch]
        figure.add_trace(
            go.Scatter(
                x=[html.escape(sample.label) for sample, _ in own],
                y=[value for _, value in own],
                mode="markers",
                name=f"launch {launch + 1}",
                marker={
                    "size": 8,
                    "opacity": 0.8,
                    "color": PALETTE[launch % len(PALETTE)],
                    "symbol": "circle" if launch % 2 == 0 else "diamond",
                },
                hovertemplate="%{x}<br>%{y:.4g}<extra>%{fullData.name}</extra>",
            )
        )
    return figure
