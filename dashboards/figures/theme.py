"""Colours and layout that all figures share; text and grid colours are the page's, per theme."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# Okabe and Ito's palette: told apart with any kind of colour vision, on white and on black.
# Yellow is left out (invisible on white), and so is black.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MUTED = "#8b93a1"
DASHES = ("solid", "dash", "dot", "dashdot")


def colours(names: Iterable[str]) -> dict[str, str]:
    """A colour for each name, in the order given; beyond six they repeat."""
    unique = list(dict.fromkeys(names))
    return {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(unique)}


def layout(**more: Any) -> dict[str, Any]:
    """A transparent, quiet layout; `more` is laid over it."""
    axis = {
        "showgrid": True,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "automargin": True,
        "title": {"standoff": 10, "font": {"size": 12}},
        "tickfont": {"size": 12},
    }
    base: dict[str, Any] = {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif", "size": 13},
        "margin": {"l": 8, "r": 12, "t": 16, "b": 8},
        "hovermode": "closest",
        "hoverlabel": {"align": "left", "font": {"size": 13}},
        "showlegend": False,
        "xaxis": dict(axis),
        "yaxis": dict(axis),
    }
    for name, value in more.items():
        known = base.get(name)
        base[name] = _over(known, value) if isinstance(known, dict) else value
    return base


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """`above` laid over `below`, dictionaries inside merged."""
    merged = dict(below)
    for name, value in above.items():
        known = merged.get(name)
        both = isinstance(known, dict) and isinstance(value, dict)
        merged[name] = _over(known, value) if both else value  # type: ignore[arg-type]
    return merged
