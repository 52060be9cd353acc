"""Form elements of the views. Each is named after the part of the state that it sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dashboards.page import Page
from dashboards.parts import attributes

if TYPE_CHECKING:
    from dash.development.base_component import Component

CONTROL = "control"  # the type in the id of every control


def control_id(name: str) -> dict[str, str]:
    """The id of the control that sets `name`."""
    return {"type": CONTROL, "name": name}


def choice(
    label: str,
    name: str,
    options: Mapping[str, str],
    chosen: str | tuple[str, ...],
    usual: str = "",
) -> Component:
    """A labelled list to choose from; several at once where `chosen` is a tuple.

    `options` maps values to what people read; `usual` is said when nothing is chosen.
    """
    from dash import dcc, html

    many = isinstance(chosen, tuple)
    value: Any = list(chosen) if many else (chosen or None)
    return html.Div(
        [
            html.Span(label, className="label"),
            dcc.Dropdown(
                id=control_id(name),
                options=[{"label": text, "value": key} for key, text in options.items()],
                value=value,
                multi=many,
                placeholder=usual,
                searchable=len(options) > 8,
                clearable=bool(usual),
            ),
        ],
        className="control",
        role="group",
        **attributes(aria_label=label),
    )


def ticks(label: str, name: str, options: Mapping[str, str], chosen: tuple[str, ...]) -> Component:
    """Boxes to tick."""
    from dash import dcc, html

    return html.Div(
        [
            html.Span(label, className="label"),
            dcc.Checklist(
                id=control_id(name),
                options=[{"label": text, "value": key} for key, text in options.items()],
                value=list(chosen),
                className="ticks",
            ),
        ],
        className="control",
        role="group",
        **attributes(aria_label=label),
    )


def more(*made: Component, is_open: bool) -> Component:
    """Controls that are needed less often, folded away unless one of them is set."""
    from dash import html

    inside = html.Div(list(made), className="inside")
    return html.Details([html.Summary("More"), inside], open=is_open, className="more")


def sweeps(page: Page) -> Component:
    """Which sweeps are shown, by name and start."""
    rows = page.library.sweeps()
    names = [row.name for row in rows]
    options = {
        row.key: row.name
        if names.count(row.name) == 1
        else f"{row.name}, {row.started.astimezone():%d %b %H:%M}"
        for row in rows
    }
    return choice("Sweeps", "sweep", options, page.state.sweep, "the latest")


def filters(page: Page) -> list[Component]:
    """A filter for each setting in which the chosen sweeps differ."""
    from orchestrator.analysis.words import short_name

    prompts = {group for shot in page.chosen for group in shot.prompts}
    found: dict[str, tuple[str, Iterable[str]]] = {
        "rig": ("Rig", sorted(page.values("rig"))),
        "engine": ("Engine", sorted(page.values("engine"))),
        "model": ("Model", page.values("model_ref")),
        "prompts": ("Prompts", sorted(prompts)),
        "ctx": ("Context", map(str, sorted(page.values("ctx")))),
    }
    made = []
    for name, (label, values) in found.items():
        options = {value: short_name(value) if name == "model" else value for value in values}
        chosen = getattr(page.state, name)
        if len(options) > 1 or chosen:
            made.append(choice(label, name, options, chosen, "all"))
    return made
