"""What each parameter does, as figures: the same ones on the dashboard and on the static page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dashboards.figures.axes import axes_figure, labels_of, panels
from dashboards.figures.context import capacity_figure
from dashboards.figures.course import course_figure
from dashboards.figures.depths import depth_figure
from dashboards.figures.influence import influence_figure
from dashboards.figures.kv_heat import kv_heat_figure
from dashboards.figures.memory import memory_figure
from dashboards.figures.parallel import parallel_figure
from dashboards.frames import frame
from orchestrator.analysis.course import course
from orchestrator.analysis.influence import influences
from orchestrator.analysis.summary import GroupSummary

if TYPE_CHECKING:
    from pandas import DataFrame
    from plotly.graph_objects import Figure


@dataclass(frozen=True, slots=True)
class Panel:
    """One figure. `label` says what it shows, `title` stands above it when there are several."""

    name: str
    title: str
    label: str
    figure: Figure


@dataclass(frozen=True, slots=True)
class Part:
    """One question about the axes: its figures side by side, and the colours they share."""

    title: str
    panels: tuple[Panel, ...]
    hint: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)


def parts(group: GroupSummary, busy_s: Mapping[int, float] | None = None) -> Iterator[Part]:
    """The figures for which a group has measurements. `busy_s`: see Database.rig_seconds."""
    data = frame(group)
    if not len(data):
        return
    yield from _draft_length(group, data)
    yield from _kv(data)
    yield from _context(group)
    yield from _influence(group)
    yield from _memory(data)
    yield from _parallel(group, data)
    yield from _course(group, busy_s)


def _draft_length(group: GroupSummary, data: DataFrame) -> Iterator[Part]:
    made = panels(group)
    tints = labels_of(made)
    shown = {i for panel in made for ids in panel.lines.values() for i in ids}
    for metric, title in (("tok_s", "speed"), ("acceptance", "acceptance")):
        values = data[data["trial_id"].isin(shown)][metric].dropna()
        if values.empty:
            continue
        span = float(values.min()), float(values.max())
        yield Part(
            f"Draft length and {title}",
            tuple(
                Panel(
                    f"{metric}-{index}",
                    panel.model,
                    f"{title} against n_max, {panel.model}",
                    axes_figure(data, panel, metric, tints, span),
                )
                for index, panel in enumerate(made)
            ),
            colours=tints,
        )


def _kv(data: DataFrame) -> Iterator[Part]:
    questions = (
        ("ppl_delta_pct", "kv", "What K/V types cost in quality", "Change of perplexity against "
         "the baseline, paired chunk by chunk. Speculation does not change it."),
        ("kld_mean", "kld", "How far K/V types move the answers", "KL divergence of the next "
         "token's probabilities from the reference."),
    )  # fmt: skip
    for metric, name, title, hint in questions:
        figure = kv_heat_figure(data, metric)
        if figure is not None:
            yield Part(title, (Panel(name, "", title, figure),), hint)


def _context(group: GroupSummary) -> Iterator[Part]:
    questions = (
        ("capacity", "Context capacity and speed", capacity_figure(group.records), ""),
        ("depth", "Speed against depth", depth_figure(group), "With the context filled."),
    )
    for name, title, figure, hint in questions:
        if figure is not None:
            yield Part(
                title, (Panel(name, "", title, figure),), hint, figure.layout.meta["colours"]
            )


def _influence(group: GroupSummary) -> Iterator[Part]:
    found = {metric: influences(group.records, metric) for metric in group.front.objectives}
    figure = influence_figure({metric: made for metric, made in found.items() if made})
    if figure is not None:
        title = "What each setting explains"
        hint = (
            "The share of the differences between candidates that lies between the values of one "
            "setting, looked at alone. Speeds count by their logarithms."
        )
        yield Part(title, (Panel("influence", "", title, figure),), hint)


def _memory(data: DataFrame) -> Iterator[Part]:
    figure = memory_figure(data)
    if figure is not None:
        title = "Memory predicted and measured"
        hint = "A point on the line: the model was right. Above it, more was needed."
        tints = figure.layout.meta["colours"]
        yield Part(title, (Panel("memory", "", title, figure),), hint, tints)


def _parallel(group: GroupSummary, data: DataFrame) -> Iterator[Part]:
    figure = parallel_figure(data, list(reversed(list(group.front.objectives))))
    if figure is not None:
        title = "All settings at once"
        hint = "A line is a candidate. Drag along an axis to keep what passes there."
        yield Part(title, (Panel("parallel", "", title, figure),), hint)


def _course(group: GroupSummary, busy_s: Mapping[int, float] | None) -> Iterator[Part]:
    able = frozenset(place.record.trial_id for place in group.front.placed)
    steps = course(group.records, able, group.front.objectives)
    if not steps:
        return
    title = "How the front grew"
    made = [Panel("course-trials", "over trials", title, course_figure(steps))]
    if busy_s:
        figure = course_figure(steps, busy_s)
        made.append(Panel("course-time", "over the rigs' time", title, figure))
    yield Part(title, tuple(made), "The hypervolume of the front as a share of the final one.")
