"""The course of a rig's telemetry while it measured: one panel a reading, a line a launch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dashboards.figures.theme import PALETTE, layout
from workers.contract.outcome import Series

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

PANELS = {
    "power_w": "power (W)",
    "mem_used_mib": "memory in use (MiB)",
    "sm_clock_mhz": "clock (MHz)",
    "temperature_c": "temperature (°C)",
}
_PANEL_PX = 130


def telemetry_figure(launches: Sequence[Series]) -> Figure | None:
    """Panels share the time axis (s since each launch); None where nothing was told."""
    from plotly.subplots import make_subplots

    told = [name for name in PANELS if any(name in series.columns for series in launches)]
    if not told:
        return None
    figure = make_subplots(rows=len(told), cols=1, shared_xaxes=True, vertical_spacing=0.06)
    figure.update_layout(layout(height=60 + _PANEL_PX * len(told)))
    for panel, name in enumerate(told, start=1):
        for index, series in enumerate(launches):
            if name in series.columns:
                figure.add_trace(_line(series, name, index, named=panel == 1), row=panel, col=1)
        figure.update_yaxes(title={"text": PANELS[name]}, rangemode="tozero", row=panel, col=1)
    figure.update_xaxes(title={"text": "seconds since the launch"}, row=len(told), col=1)
    return figure


def _line(series: Series, name: str, index: int, *, named: bool) -> object:
    import plotly.graph_objects as go

    column = series.columns.index(name)
    return go.Scatter(
        x=[row[0] for row in series.rows],
        y=[row[column] for row in series.rows],
        mode="lines",
        name=f"launch {index + 1}",
        legendgroup=str(index),
        showlegend=named,
        line={"width": 1.5, "color": PALETTE[index % len(PALETTE)]},
        hovertemplate="%{x:.1f} s: %{y:.4g}<extra>%{fullData.name}</extra>",
    )
