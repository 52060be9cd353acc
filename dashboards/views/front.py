"""Front: speed against quality, or any other metrics, with intervals; what nothing else beats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboards.cells import cell, head
from dashboards.controls import choice, filters, more, sweeps, ticks
from dashboards.figures.front import Look, front_figure
from dashboards.figures.hover import axis_title
from dashboards.page import Page
from dashboards.parts import closeness, graph, legend, note, nothing, table, to_candidate
from dashboards.selection import Selection, metrics_of, select
from dashboards.verified import standing, verification
from orchestrator.analysis.drift import sentence

if TYPE_CHECKING:
    from dash.development.base_component import Component
    from pandas import DataFrame

TITLE = "Front"
SETTINGS = {
    "model": "model",
    "kv": "K/V types",
    "kv_k": "K type",
    "kv_v": "V type",
    "spec": "speculation",
    "n_max": "draft length",
    "ctx": "context",
    "engine": "engine",
    "rig": "rig",
    "sweep": "sweep",
}
_MOST_ROWS = 60
_REST_OF_FRONT = (
    "the others stand where their estimates and the spread of their rig put them. After a filter "
    "or on other axes all do; by class of prompt only the nearest are shown."
)
_BESIDE = ("tok_s", "speedup", "acceptance", "ppl", "ppl_delta_pct", "kld_mean", "mem_peak_mib")


def controls(page: Page) -> list[Component]:
    """Sweeps, filters, axes, what colours and symbols tell apart, what else is drawn."""
    metrics = {name: axis_title(name) for name in metrics_of(page)}
    varying = _varying(page)
    state = page.state
    return [
        sweeps(page),
        *filters(page),
        choice("Across", "x", metrics, state.x, "quality"),
        choice("Up", "y", metrics, state.y, "speed"),
        choice("Colour", "tint", varying, state.tint, "what differs"),
        more(
            choice("Symbol", "mark", varying, state.mark, "none"),
            choice("Third axis", "z", metrics, state.z, "none"),
            ticks("Logarithmic", "log", {"x": "across", "y": "up"}, state.log),
            ticks("Also draw", "show", {"failed": "failed", "over": "over a limit"}, state.show),
            is_open=bool(state.mark or state.z or state.log or state.show),
        ),
    ]


def body(page: Page) -> list[Component]:
    """The figure, its legend and counts, and the front as a table."""
    picked = select(page)
    data = picked.data
    if not len(data) or not (data["level"] != "").any():
        words = _counts(data) if len(data) else "No trial has ended yet"
        return [nothing(f"There is no front here yet: {words}.")]
    look = Look(
        page.state.tint if page.state.tint in SETTINGS else "",
        page.state.mark if page.state.mark in SETTINGS else "",
        frozenset(page.state.log),
        frozenset(page.state.show),
    )
    if picked.z and picked.x:
        from dashboards.figures.cube import cube_figure

        axes = (picked.x, picked.y, picked.z)
        figure = cube_figure(data, picked.objectives, axes, look)
    else:
        figure = front_figure(data, picked.objectives, (picked.x, picked.y), look)
    return [
        *_warning(page),
        *_drift(page),
        *(said for shot in page.chosen for said in verification(page.library, shot.row)),
        *closeness(page, _REST_OF_FRONT),
        graph("front", figure, "Scatter of all candidates; the front is in the table below"),
        _legend(figure, data),
        _table(page, picked),
        note(
            "Intervals are 95 %. A candidate is off the front only when another beats it "
            "significantly; tied means that no difference was shown."
        ),
    ]


def _varying(page: Page) -> dict[str, str]:
    return {name: words for name, words in SETTINGS.items() if len(page.values(name)) > 1}


def _warning(page: Page) -> list[Component]:
    from dash import html

    if not any(shot.summary.simulated for shot in page.chosen):
        return []
    words = "Simulated: at least some of these numbers were replayed from a table, not measured."
    return [html.P(words, className="warning")]


def _drift(page: Page) -> list[Component]:
    """What the baseline showed when it was measured again; a drift is a warning."""
    from dash import html

    return [
        html.P(sentence(one), className="warning" if one.drifted else "hint")
        for shot in page.chosen
        for one in shot.summary.drift
    ]


def _legend(figure: Any, data: DataFrame) -> Component:
    tints = figure.layout.meta["colours"]
    entries = [("dot", tint, name) for name, tint in tints.items()] if len(tints) > 1 else []
    if entries:
        entries.insert(0, ("", "", f"{SETTINGS[figure.layout.meta['by']]}:"))
    thin, fewer = (_thinned(figure.layout.meta.get(kind)) for kind in ("thinned", "ties"))
    entries += [
        ("dot", "", "on the front"),
        ("dot open", "", f"tied: no difference shown{fewer}"),
        ("dot small", "", f"beaten{thin}"),
        ("★", "", "baseline"),
    ]
    if words := _counts(data):
        entries.append(("", "", f"off the graph: {words}"))
    return legend(entries)


def _thinned(counts: tuple[int, int] | None) -> str:
    """Says that not every point is drawn, where that is so."""
    drawn, total = counts or (0, 0)
    return f" ({drawn:,} of {total:,} drawn)" if drawn < total else ""


def _counts(data: DataFrame) -> str:
    counts = {
        "failed": int((data["state"] == "failed").sum()),
        "over a limit": int(((data["state"] == "complete") & (data["level"] == "")).sum()),
        "ruled out": int((data["state"] == "infeasible").sum()),
    }
    return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)


def _table(page: Page, picked: Selection) -> Component:
    data = picked.data
    members = data[data["level"].isin(("front", "tied"))]
    extra = data[data["baseline"] & (data["level"] == "dominated")]
    first = next(iter(picked.objectives))
    up = picked.objectives[first].value == "minimize"
    members = members.sort_values(first, ascending=up).head(_MOST_ROWS)
    metrics = [
        metric
        for metric in dict.fromkeys((*picked.objectives, *_BESIDE))
        if metric in data and data[metric].notna().any()
    ]
    places = ["sweep"] if page.several else []
    places += ["rig"] if data["rig"].nunique() > 1 else []
    rows: list[list[Any]] = [
        [
            to_candidate(page, row["name"], row["trial_id"]),
            *(row[place] for place in places),
            _place(page, row),
            *(cell(row, metric) for metric in metrics),
        ]
        for part in (members, extra)
        for row in part.to_dict("records")
    ]
    heads: list[Any] = ["candidate", *places, "", *(head(metric) for metric in metrics)]
    return table(heads, rows, words=range(len(places) + 2))


def _place(page: Page, row: dict[Any, Any]) -> str:
    words = [title.lower() for title in row["picks"]]
    words += ["tied"] if row["level"] == "tied" else []
    words += ["baseline"] if row["baseline"] else []
    words += [standing(shot.by_id.get(row["trial_id"])) for shot in page.chosen]
    return ", ".join(word for word in words if word)
