"""Markers and error bars of the front's figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboards.figures.theme import MUTED

if TYPE_CHECKING:
    from pandas import DataFrame, Series

MANY = 1_000  # more points than this are WebGL's
_THIN = "x-thin"  # a symbol that is all line


def points(
    part: DataFrame,
    x: str,
    y: str,
    tint: list[str],
    *,
    size: int,
    symbol: str | list[str] = "circle",
    is_open: bool | list[bool] = False,
    opacity: float = 1.0,
    bars: bool = False,
) -> Any:
    """A trace of markers with hover texts; `bars` adds 95 % error bars both ways.

    `is_open` draws rings instead of discs, `symbol` is theirs: for all or one by one. Very many
    points are drawn by WebGL.
    """
    import plotly.graph_objects as go

    opened = is_open if isinstance(is_open, list) else [is_open] * len(part)
    shapes = symbol if isinstance(symbol, list) else [symbol] * len(part)
    widths = [2 if one or shape == _THIN else 0 for shape, one in zip(shapes, opened, strict=True)]
    many = len(part) > MANY
    colour = _shared(tint) if many else tint
    drawn = [_shape(shape, one) for shape, one in zip(shapes, opened, strict=True)]
    marker = {
        "size": size,
        "color": colour,
        "opacity": opacity,
        "symbol": _shared(drawn) if many else drawn,
        "line": {"width": _shared(widths) if many else widths, "color": colour},
    }
    trace = (go.Scattergl if many and not bars else go.Scatter)(
        x=part[x].tolist(),
        y=part[y].tolist(),
        mode="markers",
        marker=marker,
        text=part["hover"].tolist(),
        hovertemplate="%{text}<extra></extra>",
        customdata=part["trial_id"].tolist(),
    )
    if bars:
        trace.update(error_x=_bars(part, x), error_y=_bars(part, y))
    return trace


def _shared(values: list[Any]) -> Any:
    """What all points share, once: Plotly checks every entry of a list."""
    return values[0] if len(set(values)) == 1 else values


def _shape(shape: str, is_open: bool) -> str:
    return f"{shape}-open" if is_open else shape


def _bars(part: DataFrame, metric: str) -> dict[str, Any]:
    """Asymmetric 95 % bars; a point without an interval, or with an empty one, has none."""
    if f"{metric}_low" not in part:
        return {"visible": False}
    value = part[metric]
    return {
        "type": "data",
        "symmetric": False,
        "array": _reach(part[f"{metric}_high"] - value),
        "arrayminus": _reach(value - part[f"{metric}_low"]),
        "thickness": 1.2,
        "width": 3,
        "color": MUTED,
    }


def _reach(lengths: Series[float]) -> list[float | None]:
    # None, not 0: a bar of no length would still be drawn as a dot.
    return [length if length > 0 else None for length in lengths]
