"""What each draft length does: speed and acceptance against n_max, a line per K/V pair."""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dashboards.figures.hover import axis_title, hover
from dashboards.figures.theme import DASHES, colours, layout
from orchestrator.analysis.draft_length import families
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.words import Namer
from search_spaces.candidate import NO_SPEC, Candidate

if TYPE_CHECKING:
    from pandas import DataFrame
    from plotly.graph_objects import Figure

MOST_LINES = 8


@dataclass(frozen=True, slots=True)
class Panel:
    """The lines of one model: label to trial ids in order of n_max, the plain one first."""

    model: str
    lines: dict[str, tuple[int, ...]]


def panels(group: GroupSummary) -> tuple[Panel, ...]:
    """One panel per model that was measured with at least two draft lengths.

    Of more than MOST_LINES families of a model the fastest are kept.
    """
    complete = {r.candidate.canonical(): r for r in group.records if r.value("tok_s") is not None}
    found: dict[str, dict[Candidate, tuple[int, ...]]] = {}
    for shared, same in families(group.records).items():
        plain = complete.get(replace(shared, spec=NO_SPEC).canonical())
        ids = tuple(r.trial_id for r in ([plain] if plain else []) + list(same))
        if len(same) > 1:
            found.setdefault(shared.model, {})[shared] = ids
    speed = {r.trial_id: r.value("tok_s") or 0.0 for r in group.records}
    made = []
    for lines in found.values():
        fastest = sorted(lines, key=lambda shared: -max(speed[i] for i in lines[shared]))
        kept = [shared for shared in lines if shared in fastest[:MOST_LINES]]
        namer = Namer.of(replace(shared, model="") for shared in kept)
        labels = {
            shared: namer.name(shared) if len(kept) > 1 else f"K/V {shared.kv}" for shared in kept
        }
        model = group.namer.model(kept[0])
        made.append(Panel(model, {labels[shared]: lines[shared] for shared in kept}))
    return tuple(made)


def labels_of(made: tuple[Panel, ...]) -> dict[str, str]:
    """The colour of each line's label, the same in all panels."""
    return colours(label for panel in made for label in panel.lines)


def axes_figure(
    data: DataFrame, panel: Panel, metric: str, tints: dict[str, str], span: tuple[float, float]
) -> Figure:
    """`metric` against n_max for one model; 0 on the n_max axis is "no speculation".

    `span` is the smallest and largest value over all panels, so that they share one scale.
    """
    import plotly.graph_objects as go

    rows = {row["trial_id"]: row for row in data.to_dict("records")}
    lengths = sorted({rows[i]["n_max"] for ids in panel.lines.values() for i in ids})
    lengths = [n for n in lengths if n > 0 or metric != "acceptance"]
    figure = go.Figure(
        layout=layout(
            height=280,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            xaxis={
                "title": {"text": "n_max"},
                "tickvals": lengths,
                "ticktext": [str(n) if n else "none" for n in lengths],
                "showgrid": False,
            },
            yaxis={
                "title": {"text": axis_title(metric)},
                "range": [span[0] * 0.92, span[1] * 1.05],
                "tickformat": ".0%" if metric == "acceptance" else None,
            },
        )
    )
    for index, (label, ids) in enumerate(panel.lines.items()):
        points = [rows[i] for i in ids if rows[i][metric] == rows[i][metric]]
        points = [p for p in points if p["n_max"] > 0 or metric != "acceptance"]
        dash = DASHES[(index // len(tints)) % len(DASHES)] if tints else DASHES[0]
        figure.add_trace(_line(go, points, metric, tints[label], dash, label))
    return figure


def _line(
    go: Any, points: list[dict[Any, Any]], metric: str, tint: str, dash: str, label: str
) -> Any:
    def span(side: str) -> list[float]:
        gaps = [p[f"{metric}_{side}"] for p in points]
        return [
            abs(g - p[metric]) if g is not None and g == g else 0.0
            for g, p in zip(gaps, points, strict=True)
        ]

    return go.Scatter(
        x=[p["n_max"] for p in points],
        y=[p[metric] for p in points],
        name=html.escape(label),
        mode="lines+markers",
        line={"color": tint, "width": 2, "dash": dash},
        marker={"size": 7, "color": tint},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": span("high"),
            "arrayminus": span("low"),
            "thickness": 1,
            "width": 0,
            "color": tint,
        },
        text=[hover(p, ("tok_s", "speedup", "acceptance", "ppl")) for p in points],
        hovertemplate="%{text}<extra></extra>",
    )
