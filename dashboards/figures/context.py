"""Speed against context capacity: how much room is paid for."""

from __future__ import annotations

import html
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dashboards.figures.hover import axis_title
from dashboards.figures.theme import colours, layout
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.words import Namer
from search_spaces.candidate import Candidate

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_LINES = 8
Line = Sequence[tuple[float, float, float | None, float | None]]  # x, value, low, high


def capacity_figure(records: Sequence[Measured]) -> Figure | None:
    """tok/s against the context capacity, for candidates that differ in nothing else.

    The fastest MOST_LINES are drawn; None where no candidate was measured at two capacities.
    """
    families: dict[Candidate, list[Measured]] = defaultdict(list)
    for record in records:
        if record.state is State.COMPLETE and record.value("tok_s") is not None:
            families[replace(record.candidate, ctx=0)].append(record)
    several = {c: same for c, same in families.items() if len({r.candidate.ctx for r in same}) > 1}
    lines = {}
    for candidate, same in several.items():
        ordered = sorted(same, key=lambda record: record.candidate.ctx)
        made = [(r.candidate.ctx, r.estimates["tok_s"]) for r in ordered]
        lines[candidate] = [(float(ctx), e.value, e.low, e.high) for ctx, e in made]
    return _figure(lines, "context capacity (tokens)", "tok_s")


def _figure(lines: Mapping[Candidate, Line], across: str, metric: str) -> Figure | None:
    import plotly.graph_objects as go

    if not lines:
        return None
    fastest = sorted(lines, key=lambda c: -max(value for _, value, _, _ in lines[c]))
    namer = Namer.of(fastest)
    names = {c: namer.name(c) or "the only candidate" for c in fastest[:MOST_LINES]}
    tints = colours(names.values())
    figure = go.Figure(
        layout=layout(
            height=340,
            xaxis={"title": {"text": across}, "type": "log"},
            yaxis={"title": {"text": axis_title(metric)}, "rangemode": "tozero"},
            meta={"colours": tints},
        )
    )
    for candidate, name in names.items():
        figure.add_trace(_line(go, lines[candidate], name, tints[name]))
    return figure


def _line(go: Any, points: Line, name: str, tint: str) -> Any:
    def reach(value: float, bound: float | None) -> float:
        return 0.0 if bound is None else abs(bound - value)

    return go.Scatter(
        x=[x for x, _, _, _ in points],
        y=[value for _, value, _, _ in points],
        name=html.escape(name),
        mode="lines+markers",
        line={"color": tint, "width": 2},
        marker={"size": 7, "color": tint},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [reach(value, high) for _, value, _, high in points],
            "arrayminus": [reach(value, low) for _, value, low, _ in points],
            "thickness": 1,
            "width": 0,
            "color": tint,
        },
        hovertemplate="%{y:.4g} tok/s at %{x:,}<extra>%{fullData.name}</extra>",
    )
