"""What K/V types cost in quality: the change of perplexity, or the KL divergence, of every pair."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

from dashboards.figures.theme import layout
from orchestrator.analysis.words import number, unit

if TYPE_CHECKING:
    from pandas import DataFrame
    from plotly.graph_objects import Figure

CHANGE = "ppl_delta_pct"
_FULL = {CHANGE: 10.0, "kld_mean": 0.5}  # values that have the full colour
# Bytes per value decide the order in which people read types: finest first.
_FINENESS = ("f32", "bf16", "f16", "q8", "q6", "q5", "q4", "iq4", "turbo4", "q3", "turbo3", "q2")
# Blue is better, orange is worse, nothing in the middle; the page shows through.
_SCALE = [
    [0.0, "rgba(0,114,178,0.7)"],
    [0.49, "rgba(0,114,178,0.05)"],
    [0.5, "rgba(139,147,161,0.09)"],
    [0.51, "rgba(213,94,0,0.05)"],
    [1.0, "rgba(213,94,0,0.7)"],
]


def fineness(kind: str) -> tuple[int, str]:
    """Sorts KV types from fine to coarse; types that are not known come last, by name."""
    found = [i for i, start in enumerate(_FINENESS) if kind.startswith(start)]
    return (found[0] if found else len(_FINENESS)), kind


def kv_heat_figure(data: DataFrame, metric: str = CHANGE) -> Figure | None:
    """Cells with the change of perplexity in per cent, or with `kld_mean`; None with fewer than
    two pairs that have it.

    K types down and V types across when enough pairs were measured to fill that grid (one grid
    per model is then too much: the first model is shown); otherwise models down, pairs across.
    Perplexity does not depend on speculation, so one candidate per model and pair stands for all.
    """
    import plotly.graph_objects as go

    if metric not in data:
        return None
    known = data[data[metric].notna()].sort_values(["n_max", "trial_id"])
    cells = known.drop_duplicates(["model", "kv"])
    if cells["kv"].nunique() < 2:
        return None
    grid = cells["kv"].nunique() > 1.5 * max(cells["kv_k"].nunique(), cells["kv_v"].nunique())
    if grid:
        cells = cells[cells["model"] == cells["model"].iloc[0]]
    down, across = ("kv_k", "kv_v") if grid else ("model", "kv")
    rows = cells.to_dict("records")
    ys = _ordered([row[down] for row in rows], grid)
    xs = _ordered([row[across] for row in rows], True)
    found = {(row[down], row[across]): row for row in rows}
    table = [[found.get((y, x)) for x in xs] for y in ys]
    heat = go.Heatmap(
        x=[html.escape(f"V {x}" if grid else x) for x in xs],
        y=[html.escape(f"K {y}" if grid else y) for y in ys],
        z=[[_tint(cell, metric) for cell in line] for line in table],
        text=[[_text(cell, metric) for cell in line] for line in table],
        texttemplate="%{text}",
        hovertext=[[_hover(cell, metric) for cell in line] for line in table],
        hovertemplate="%{hovertext}<extra></extra>",
        colorscale=_SCALE,
        zmin=-1,
        zmax=1,
        showscale=False,
        xgap=3,
        ygap=3,
    )
    return go.Figure(
        heat,
        layout=layout(
            height=80 + 56 * len(ys),
            xaxis={"side": "top", "showgrid": False, "type": "category", "fixedrange": True},
            yaxis={
                "autorange": "reversed",
                "showgrid": False,
                "type": "category",
                "fixedrange": True,
            },
        ),
    )


def _ordered(values: list[str], are_types: bool) -> list[str]:
    unique = list(dict.fromkeys(values))
    if not are_types:
        return unique
    return sorted(unique, key=lambda value: [fineness(part) for part in value.split("/")])


def _tint(cell: dict[Any, Any] | None, metric: str) -> float | None:
    """-1 .. 1 on a root scale, so that 0.1 % is visible beside 5 %; a tie has no colour."""
    if cell is None:
        return None
    value = float(cell[metric])
    if _is_tie(cell, metric):
        return 0.0
    return math.copysign(min(math.sqrt(abs(value) / _FULL[metric]), 1.0), value)


def _is_tie(cell: dict[Any, Any], metric: str) -> bool:
    low, high = cell[f"{metric}_low"], cell[f"{metric}_high"]
    return not (low == low and high == high) or low <= 0 <= high


def _text(cell: dict[Any, Any] | None, metric: str) -> str:
    if cell is None:
        return ""
    if cell["baseline"] or (cell[f"{metric}_low"] == cell[f"{metric}_high"] == 0):
        return "baseline"
    text = f"{number(metric, cell[metric])} {unit(metric)}"
    return f"{text}<br>no difference shown" if _is_tie(cell, metric) else text


def _hover(cell: dict[Any, Any] | None, metric: str) -> str:
    if cell is None:
        return "not measured"
    low, high = cell[f"{metric}_low"], cell[f"{metric}_high"]
    span = ""
    if low == low and high == high:
        span = f" ({number(metric, low)} to {number(metric, high)})"
    value = f"{number(metric, cell[metric])} {unit(metric)}"
    ppl = f"perplexity {cell['ppl']:.4f}<br>" if cell["ppl"] == cell["ppl"] else ""
    name = "change" if metric == CHANGE else "KL divergence"
    return f"K/V {html.escape(cell['kv'])}<br>{ppl}{name} {value}{span}"
