"""Pieces that views share, as Dash components. Text in them is text: a browser never parses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dashboards.page import Page
from dashboards.urls import State

if TYPE_CHECKING:
    from dash.development.base_component import Component
    from plotly.graph_objects import Figure

    Cell = Component | str | Sequence[Component | str | None]

FIGURE = "figure"  # the type in the id of every figure
_CONFIG: Any = {
    "displaylogo": False,
    "responsive": True,
    "doubleClick": "reset",
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
}


def link(text: str, state: State, **how: Any) -> Component:
    """A link to a page of the dashboard."""
    from dash import dcc

    return dcc.Link(text, href=state.url, **how)


def to_candidate(page: Page, name: str, trial_id: int) -> Component:
    """A link to the page of one candidate."""
    return link(name or "the only candidate", page.state.to("candidate", trial=str(trial_id)))


def attributes(**values: object) -> dict[str, Any]:
    """HTML attributes with dashes in their names: `aria_label` is aria-label."""
    return {name.replace("_", "-"): value for name, value in values.items()}


def graph(name: str, figure: Figure, label: str) -> Component:
    """A figure that keeps its zoom when its data change; `label` says what it shows."""
    from dash import dcc, html

    figure.update_layout(uirevision=name)
    height = int(figure.layout.height or 400)
    return html.Div(
        dcc.Graph(
            id={"type": FIGURE, "name": name},
            figure=figure,
            config=_CONFIG,
            style={"height": f"{height}px"},
        ),
        role="figure",
        className="figure-frame",
        **attributes(aria_label=label),
    )


def table(
    heads: Sequence[Cell], rows: Iterable[Sequence[Cell]], words: Iterable[int] = (0,)
) -> Component:
    """A table; the columns in `words` are text, the others numbers."""
    from dash import html

    left = set(words)

    def cells(kind: Any, row: Sequence[Cell]) -> list[Component]:
        return [
            kind(cell, className="words" if i in left else "number") for i, cell in enumerate(row)
        ]

    return html.Div(
        html.Table(
            [
                html.Thead(html.Tr(cells(html.Th, heads))),
                html.Tbody([html.Tr(cells(html.Td, row)) for row in rows]),
            ]
        ),
        className="scroll",
        tabIndex=0,
    )


def legend(entries: Iterable[tuple[str, str, str]]) -> Component:
    """(mark, colour, words): a mark is a class of the style sheet, or a character."""
    from dash import html

    def mark(kind: str, tint: str) -> Component | None:
        if not kind:
            return None
        style = {"color": tint} if tint else {}
        if kind.startswith("dot"):
            return html.Span(className=kind, style=style)
        return html.Span(kind, className="star", style=style)

    items = [html.Li([mark(kind, tint), html.Span(words)]) for kind, tint, words in entries]
    return html.Ul(items, className="legend")


def facts(pairs: Mapping[str, Cell]) -> Component:
    """Names and values side by side."""
    from dash import html

    made: list[Component] = []
    for name, value in pairs.items():
        made.append(html.Div([html.Dt(name), html.Dd(value)]))
    return html.Dl(made, className="facts")


def note(text: str) -> Component:
    """A sentence in small print."""
    from dash import html

    return html.P(text, className="hint")


def nothing(text: str) -> Component:
    """Says why there is nothing to see, and what to do."""
    from dash import html

    return html.P(text, className="nothing")


def closeness(page: Page, rest: str) -> list[Component]:
    """Says of sweeps that are too large to look at closely how much was, and what of the `rest`."""
    return [
        note(
            f"Of {len(shot.everything):,} candidates of {shot.row.name} the {len(shot.records):,} "
            f"nearest to the front were compared sample by sample; {rest}"
        )
        for shot in page.chosen
        if shot.beyond
    ]


def copyable(name: str, text: str, label: str = "Copy") -> Component:
    """Text to take away, with a button that copies it; see assets/copy.js."""
    from dash import html

    return html.Div(
        [
            html.Button(label, className="copy", type="button", **attributes(data_copy=name)),
            html.Pre(text, id=name, tabIndex=0),
        ],
        className="copyable",
    )
