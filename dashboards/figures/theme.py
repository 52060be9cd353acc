"""Colours and layout that all figures share; text and grid colours are the page's, per theme."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# Okabe and Ito's palette: told apart with any kind of colour vision, on white and on black.
# Yellow is left out (invisible on white), and so is black.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MUTED = "#8b93a1"
DASHES = ("solid", "dash", "dot", "dashdot")


SYMBOLS = ("circle", "square", "diamond", "triangle-up", "pentagon", "triangle-down")
# From little to much; blue and orange are told apart with any colour vision, and none of the
# steps vanishes on white or on black.
_SEQUENCE = ("#2f78bd", "#5b89ae", "#80979f", "#a09d8a", "#bb9f6e", "#d2a04d", "#e69f00")


def colours(names: Iterable[str]) -> dict[str, str]:
    """A colour for each name, in the order given; beyond six they repeat."""
    unique = list(dict.fromkeys(names))
    return {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(unique)}


def tints(values: Iterable[object]) -> dict[str, str]:
    """A colour for each value as text: numbers in order, from dark to light where there are many.

    Of more than six names the first five keep their colours, the others share grey.
    """
    unique = list(dict.fromkeys(values))
    numeric = all(isinstance(value, int | float) for value in unique)
    ordered = sorted(unique, key=float) if numeric else unique  # type: ignore[arg-type]
    if len(ordered) <= len(PALETTE):
        return colours(map(str, ordered))
    if numeric:
        last = len(ordered) - 1
        steps = (round(i * (len(_SEQUENCE) - 1) / last) for i in range(len(ordered)))
        return {str(v): _SEQUENCE[step] for v, step in zip(ordered, steps, strict=True)}
    return {str(v): PALETTE[i] if i < 5 else MUTED for i, v in enumerate(ordered)}


def symbols(values: Iterable[object]) -> dict[str, str]:
    """A symbol for each value as text; beyond six they repeat."""
    return {str(v): SYMBOLS[i % len(SYMBOLS)] for i, v in enumerate(dict.fromkeys(values))}


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
