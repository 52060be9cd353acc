"""Generation speed against depth: a line per candidate, with 95 % bars at each depth."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from dashboards.figures.theme import DASHES, PALETTE, colours, layout
from orchestrator.analysis.records import Measured
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.words import quantity
from workers.contract.outcome import Estimate

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_LINES = 8


def depth_figure(group: GroupSummary) -> Figure | None:
    """Members of the front and baselines, fastest at depth first; None where none was filled.

    `layout.meta["colours"]` has the colour of each line's name.
    """
    import plotly.graph_objects as go

    lines = _lines(group)
    if not lines:
        return None
    tints = colours(lines)
    figure = go.Figure(
        layout=layout(
            height=320,
            xaxis={"title": {"text": "tokens in the context before the answer"}},
            yaxis={"title": {"text": "generation (tok/s)"}, "rangemode": "tozero"},
            meta={"colours": tints},
        )
    )
    for index, (name, record) in enumerate(lines.items()):
        dash = DASHES[(index // len(PALETTE)) % len(DASHES)]
        figure.add_trace(_line(go, name, record, tints[name], dash))
    return figure


def _lines(group: GroupSummary) -> dict[str, Measured]:
    known = {r.trial_id: r for r in (*group.front.members, *group.baselines) if r.depths}
    fastest = sorted(known.values(), key=lambda r: -(r.value("tok_s_deep") or 0.0))
    return {group.namer.name(record.candidate): record for record in fastest[:MOST_LINES]}


def _line(go: Any, name: str, record: Measured, tint: str, dash: str) -> Any:
    points = [(at.tokens, rate) for at in record.depths for rate in _rates(at.estimates)]
    rates = [rate for _, rate in points]
    return go.Scatter(
        x=[tokens for tokens, _ in points],
        y=[rate.value for rate in rates],
        name=name,
        mode="lines+markers",
        line={"color": tint, "width": 2, "dash": dash},
        marker={"size": 7, "color": tint},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [None if r.high is None else r.high - r.value for r in rates],
            "arrayminus": [None if r.low is None else r.value - r.low for r in rates],
            "thickness": 1,
            "width": 3,
            "color": tint,
        },
        text=[f"<b>{html.escape(name)}</b><br>{t:,} tokens: {quantity(r)}" for t, r in points],
        hovertemplate="%{text}<extra></extra>",
    )


def _rates(estimates: tuple[Estimate, ...]) -> list[Estimate]:
    return [estimate for estimate in estimates if estimate.metric == "tok_s"]
