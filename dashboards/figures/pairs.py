"""Two sides on equal candidates: each pair's difference with its interval, in order."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dashboards.figures.hover import LABELS
from dashboards.figures.theme import MUTED, PALETTE, layout
from orchestrator.analysis.records import Measured
from orchestrator.analysis.side_by_side import Pair
from workers.statistics.comparison import Scale, Verdict

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_TINTS = {Verdict.BETTER: PALETTE[0], Verdict.WORSE: PALETTE[1], Verdict.TIE: MUTED}
_MARKS = {Verdict.BETTER: "triangle-up", Verdict.WORSE: "triangle-down", Verdict.TIE: "circle-open"}
_EQUAL = {Scale.RATIO: 1.0, Scale.PERCENT: 0.0, Scale.DIFFERENCE: 0.0}
_UNITS = {Scale.RATIO: "×", Scale.PERCENT: "%", Scale.DIFFERENCE: "difference"}
_MOST = 400


def pairs_figure(pairs: Sequence[Pair], metric: str, name: Callable[[Measured], str]) -> Figure:
    """The second side against the first, smallest difference first; at most 400 are drawn.

    Blue and up: better. Orange and down: worse. An open circle: no difference shown. `pairs`
    must not be empty.
    """
    import plotly.graph_objects as go

    ordered = sorted(pairs, key=lambda pair: pair.made.effect)
    step = -(-len(ordered) // _MOST)
    ordered = ordered[::step]
    scale = ordered[0].made.scale
    figure = go.Figure(
        layout=layout(
            height=380,
            xaxis={"title": {"text": "candidates"}, "showticklabels": False, "showgrid": False},
            yaxis={"title": {"text": f"{LABELS.get(metric, metric)} ({_UNITS[scale]})"}},
        )
    )
    figure.add_hline(y=_EQUAL[scale], line={"color": MUTED, "width": 1, "dash": "dot"})
    made = [pair.made for pair in ordered]
    figure.add_trace(
        go.Scatter(
            x=list(range(1, len(made) + 1)),
            y=[one.value for one in made],
            mode="markers",
            marker={
                "size": 10,
                "color": [_TINTS[one.verdict] for one in made],
                "symbol": [_MARKS[one.verdict] for one in made],
            },
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [None if one.high is None else one.high - one.value for one in made],
                "arrayminus": [None if one.low is None else one.value - one.low for one in made],
                "thickness": 1.2,
                "width": 3,
                "color": MUTED,
            },
            customdata=[pair.second.trial_id for pair in ordered],
            text=[html.escape(name(pair.second)) for pair in ordered],
            hovertemplate="%{text}<br>%{y:.4g}<extra></extra>",
        )
    )
    return figure
