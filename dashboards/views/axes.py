"""Axes: what each parameter does to speed, quality and memory, and how the front grew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboards.axis_figures import Part, parts
from dashboards.controls import choice, filters, sweeps
from dashboards.page import Page
from dashboards.parts import closeness, graph, legend, note, nothing
from dashboards.snapshot import Snapshot
from orchestrator.analysis.summary import GroupSummary, summarise

if TYPE_CHECKING:
    from dash.development.base_component import Component

TITLE = "Axes"


def controls(page: Page) -> list[Component]:
    """Sweeps, filters, and which front of several."""
    groups = {group.title: group.title for _, group in _groups(page)}
    made = [sweeps(page), *filters(page)]
    if len(groups) > 1:
        made.append(choice("Front of", "group", groups, page.state.group, "the first"))
    return made


def body(page: Page) -> list[Component]:
    """The figures of one group: those of several do not belong on one axis."""
    from dash import html

    found = _groups(page)
    chosen = [pair for pair in found if pair[1].title == page.state.group] or found[:1]
    if not chosen:
        return [nothing("Nothing was measured here yet.")]
    shot, group = chosen[0]
    busy = page.library.database.rig_seconds(shot.row.id)
    made = [made for part in parts(group, busy) for made in _section(part)]
    headline = [html.P(group.headline, className="headline")] if group.headline else []
    rest = closeness(page, "what follows is of these alone.")
    return [*headline, *rest, *(made or [nothing("Nothing varied here that a figure could show.")])]


def _groups(page: Page) -> list[tuple[Snapshot, GroupSummary]]:
    """The groups that pass the filters, summarised among what passes."""
    found = []
    for shot in page.chosen:
        shot = shot.of_prompts(page.state.prompts)
        kept = [record for record in shot.records if page.passes(record)]
        whole = len(kept) == len(shot.records)
        summary = shot.summary if whole else summarise(kept, shot.row.space)
        found += [(shot, group) for group in summary.groups]
    return found


def _section(part: Part) -> list[Component]:
    from dash import html

    several = len(part.panels) > 1
    figures = [
        html.Div(
            [
                html.H4(panel.title) if several else None,
                graph(panel.name, panel.figure, panel.label),
            ]
        )
        for panel in part.panels
    ]
    entries = [("dot", tint, name) for name, tint in part.colours.items()]
    return [
        html.H3(part.title),
        *([note(part.hint)] if part.hint else []),
        *([legend(entries)] if len(entries) > 1 else []),
        html.Div(figures, className="panels"),
    ]
