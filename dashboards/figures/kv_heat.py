"""What K/V types cost in quality: the change of perplexity for every pair."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dashboards.figures.theme import layout
from orchestrator.analysis.words import number

if TYPE_CHECKING:
    from pandas import DataFrame
    from plotly.graph_objects import Figure

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


def kv_heat_figure(data: DataFrame) -> Figure | None:
    """Cells with the change of perplexity in per cent; None with fewer than two pairs.

    K types down and V types across when enough pairs were measured to fill that grid (one grid
    per model is then too much: the first model is shown); otherwise models down, pairs across.
    Perplexity does not depend on speculation, so one candidate per model and pair stands for all.
    """
    import plotly.graph_objects as go

    known = data[data["ppl_delta_pct"].notna()].sort_values(["n_max", "trial_id"])
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
        x=[f"V {x}" if grid else x for x in xs],
        y=[f"K {y}" if grid else y for y in ys],
        z=[[_tint(cell) for cell in line] for line in table],
        text=[[_text(cell) for cell in line] for line in table],
        texttemplate="%{text}",
        hovertext=[[_hover(cell) for cell in line] for line in table],
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


def _tint(cell: dict[Any, Any] | None) -> float | None:
    """-1 .. 1 on a root scale, so that 0.1 % is visible beside 5 %; a tie has no colour."""
    if cell is None:
        return None
    change = float(cell["ppl_delta_pct"])
    if _is_tie(cell):
        return 0.0
    return math.copysign(min(math.sqrt(abs(change) / 10.0), 1.0), change)


def _is_tie(cell: dict[Any, Any]) -> bool:
    low, high = cell["ppl_delta_pct_low"], cell["ppl_delta_pct_high"]
    return not (low == low and high == high) or low <= 0 <= high


def _text(cell: dict[Any, Any] | None) -> str:
    if cell is None:
        return ""
    if cell["baseline"] or (cell["ppl_delta_pct_low"] == cell["ppl_delta_pct_high"] == 0):
        return "baseline"
    text = f"{number('ppl_delta_pct', cell['ppl_delta_pct'])} %"
    return f"{text}<br>no difference shown" if _is_tie(cell) else text


def _hover(cell: dict[Any, Any] | None) -> str:
    if cell is None:
        return "not measured"
    low, high = cell["ppl_delta_pct_low"], cell["ppl_delta_pct_high"]
    span = ""
    if low == low and high == high:
        span = f" ({number('ppl_delta_pct', low)} to {number('ppl_delta_pct', high)})"
    change = number("ppl_delta_pct", cell["ppl_delta_pct"])
    return f"K/V {cell['kv']}<br>perplexity {cell['ppl']:.4f}<br>change {change} %{span}"
