"""Compare: two engines, builds, rigs or sweeps on the candidates that both have measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dashboards.cells import HEADS
from dashboards.controls import choice, sweeps
from dashboards.figures.hover import axis_title
from dashboards.figures.pairs import pairs_figure
from dashboards.page import Page
from dashboards.parts import closeness, graph, legend, note, nothing, table, to_candidate
from dashboards.selection import metrics_of
from dashboards.snapshot import Snapshot
from orchestrator.analysis.records import Measured
from orchestrator.analysis.side_by_side import SideBySide, side_by_side
from orchestrator.analysis.words import Namer, number
from workers.statistics.comparison import Comparison, Scale, Verdict

if TYPE_CHECKING:
    from dash.development.base_component import Component

TITLE = "Compare"
_USUAL_METRIC = "tok_s"
_MOST_ROWS = 100


@dataclass(frozen=True, slots=True)
class Side:
    """One engine on one rig in one sweep. `key` stands in the URL, `title` is read."""

    key: str
    title: str
    records: tuple[Measured, ...]


def controls(page: Page) -> list[Component]:
    """Sweeps to take sides from, the two sides, the metric."""
    titles = {side.key: side.title for side in sides(page)}
    metrics = {name: axis_title(name) for name in metrics_of(page) if name != "ctx"}
    return [
        sweeps(page),
        choice("First", "a", titles, page.state.a, "the first side"),
        choice("Second", "b", titles, page.state.b, "the next side"),
        choice("Metric", "metric", metrics, page.state.metric, axis_title(_USUAL_METRIC)),
    ]


def body(page: Page) -> list[Component]:
    """The mean difference in words, each pair as a figure, and as a table."""
    from dash import html

    found = sides(page)
    if len(found) < 2:
        return [
            nothing(
                "There is one side only: one engine on one rig in one sweep. Choose another "
                "sweep as well, or sweep with a second engine or rig."
            )
        ]
    first = next((side for side in found if side.key == page.state.a), found[0])
    others = [side for side in found if side is not first]
    second = next((side for side in found if side.key == page.state.b), others[0])
    metric = page.state.metric or _USUAL_METRIC
    made = side_by_side(first.records, second.records, metric)
    if not made.pairs:
        return [nothing(f"{first.title} and {second.title} have no candidate in common that has "
                        f"{HEADS.get(metric, metric)}.")]  # fmt: skip
    namer = Namer.of(pair.first.candidate for pair in made.pairs)
    label = f"{second.title} against {first.title}"
    return [
        html.P(_headline(made, first, second), className="headline"),
        *closeness(page, "sides are of these alone."),
        graph(
            "pairs",
            pairs_figure(made.pairs, metric, lambda record: namer.name(record.candidate)),
            label,
        ),
        legend(
            [
                ("▲", "#0072B2", f"{second.title} is better"),
                ("▼", "#D55E00", f"{second.title} is worse"),
                ("○", "", "no difference shown"),
            ]
        ),
        _table(page, made, namer, first, second),
        note(
            f"Only one side has {made.alone[0]:,} (first) and {made.alone[1]:,} (second) other "
            "candidates. Each pair is compared by prompt or by chunk where both have them."
        ),
    ]


def sides(page: Page) -> list[Side]:
    """Every engine on every rig in the chosen sweeps."""
    found: dict[tuple[str, str, str], list[Measured]] = {}
    shots: dict[str, Snapshot] = {shot.row.key: shot for shot in page.chosen}
    for shot in page.chosen:
        for record in shot.records:
            where = (shot.row.key, record.rig, record.candidate.engine)
            found.setdefault(where, []).append(record)
    made = []
    for (key, rig, engine), records in found.items():
        parts = [shots[key].row.name] if page.several else []
        parts += [rig, engine]
        names = [shot.row.name for shot in page.chosen]
        if names.count(shots[key].row.name) > 1:
            parts.append(f"of {shots[key].row.started.astimezone():%d %b %H:%M}")
        made.append(Side(f"{key[:12]}~{rig}~{engine}", " · ".join(parts), tuple(records)))
    return made


def _headline(made: SideBySide, first: Side, second: Side) -> str:
    n = len(made.pairs)
    counts = (
        f"better in {made.count(Verdict.BETTER):,}, worse in {made.count(Verdict.WORSE):,}, no "
        f"difference shown in {made.count(Verdict.TIE):,} of {n:,} equal candidates"
    )
    name = HEADS.get(made.metric, made.metric)
    overall = _spelt(made.overall) if made.overall else ""
    return f"{name.capitalize()} of {second.title} against {first.title}: {overall}; {counts}."


def _spelt(made: Comparison) -> str:
    """The difference with its interval, in the unit of its scale."""
    marks = {Scale.RATIO: "×", Scale.PERCENT: " %", Scale.DIFFERENCE: ""}
    mark = marks[made.scale]

    def spelt(value: float) -> str:
        digits = 2 if made.scale is Scale.PERCENT else 3
        signed = made.scale is not Scale.RATIO
        return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"

    if made.low is None or made.high is None:
        return spelt(made.value) + mark
    return f"{spelt(made.value)}{mark} ({spelt(made.low)} to {spelt(made.high)})"


def _table(page: Page, made: SideBySide, namer: Namer, first: Side, second: Side) -> Component:
    words = {Verdict.BETTER: "better", Verdict.WORSE: "worse", Verdict.TIE: "no difference shown"}
    ordered = sorted(made.pairs, key=lambda pair: -abs(pair.made.effect))
    rows: list[list[Any]] = [
        [
            to_candidate(page, namer.name(pair.second.candidate), pair.second.trial_id),
            number(made.metric, pair.first.value(made.metric) or 0.0),
            number(made.metric, pair.second.value(made.metric) or 0.0),
            _spelt(pair.made),
            words[pair.made.verdict],
        ]
        for pair in ordered[:_MOST_ROWS]
    ]
    heads = ["candidate", first.title, second.title, "difference", "verdict"]
    return table(heads, rows, words=(0, 4))
