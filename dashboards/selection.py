"""The rows that a view shows: filtered, and placed anew on a front of the chosen axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboards.figures.front import axes_of
from dashboards.page import Page
from dashboards.snapshot import Snapshot
from dashboards.urls import FILTERS
from orchestrator.analysis.objectives import direction_of
from search_spaces.metrics import METRICS, Direction

if TYPE_CHECKING:
    from pandas import DataFrame

OVER = "over"  # the level of a candidate that breaks a constraint of its space


@dataclass(frozen=True)
class Selection:
    """`data` has the columns of Snapshot.data, with `level` for the axes in `objectives`."""

    data: DataFrame
    objectives: Mapping[str, Direction]
    x: str | None
    y: str
    z: str = ""


def metrics_of(page: Page) -> list[str]:
    """Every metric that was measured for some candidate of the page."""
    found = {"ctx"}.union(*(shot.metrics for shot in page.chosen))
    return [name for name in (*METRICS, "ctx") if name in found]


def select(page: Page) -> Selection:
    """The rows that pass the filters of the page's state."""
    import pandas as pd

    x, y = _axes(page)
    goals = {name: _direction(page, name) for name in (y, x, page.state.z) if name}
    parts = [_filtered(shot, page, goals) for shot in page.chosen]
    parts = [part for part in parts if len(part)]
    data = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    return Selection(data, goals, x, y, page.state.z)


def _axes(page: Page) -> tuple[str | None, str]:
    usual_x, usual_y = axes_of(page.main.row.space.objectives)
    y = page.state.y if page.state.y in (*METRICS, "ctx") else usual_y
    x = page.state.x if page.state.x in (*METRICS, "ctx") else usual_x
    return (x if x != y else None), y


def _direction(page: Page, metric: str) -> Direction:
    asked = page.main.row.space.objectives
    return asked.get(metric) or direction_of(metric)


def _filtered(shot: Snapshot, page: Page, goals: Mapping[str, Direction]) -> DataFrame:
    state = page.state
    shot = shot.of_prompts(state.prompts)
    data = shot.data
    for name in FILTERS:
        wanted = getattr(state, name)
        if wanted and name in data and name != "prompts":
            column = "model_ref" if name == "model" else name
            data = data[data[column].astype(str).isin(wanted)]
    if len(data) == len(shot.data) and set(goals) == set(shot.row.space.objectives):
        return data
    levels = shot.levels(tuple(data["trial_id"]) if len(data) else (), goals)
    return data.assign(level=[levels.get(i, "") for i in data["trial_id"]]) if len(data) else data
