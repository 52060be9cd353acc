"""Candidate: one candidate on one rig, with everything that was asked, done, measured and said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboards.controls import choice
from dashboards.page import Page
from dashboards.parts import copyable, facts, link, note, nothing, table
from dashboards.snapshot import Snapshot
from dashboards.trial_details import Details, read_details
from dashboards.views import evidence
from orchestrator.analysis.exports.base import ExportError
from orchestrator.analysis.exports.exporter import Exporter
from orchestrator.analysis.exports.registry import export, export_formats
from orchestrator.analysis.records import Measured
from workers.statistics.flags import describe

if TYPE_CHECKING:
    from dash.development.base_component import Component

TITLE = "Candidate"
USUAL_FORM = "command"


def controls(page: Page) -> list[Component]:
    """The form in which the candidate is exported."""
    forms = {name: form.meaning for name, form in export_formats().items()}
    return [choice("Export as", "form", forms, page.state.form, forms[USUAL_FORM])]


def body(page: Page) -> list[Component]:
    """Where it stands, its command, its numbers, and what they rest on."""
    from dash import html

    if not page.state.trial.isdecimal():
        return [nothing("No candidate is named in this address. Choose one on the front.")]
    details = read_details(page.library.database, int(page.state.trial))
    shot = next(
        page.library.snapshot(row)
        for row in page.library.sweeps()
        if row.id == details.trial.sweep_id
    )
    record = shot.by_id.get(details.trial.same_as or details.trial.id)
    back = page.state.to("front", sweep=(shot.row.key,))
    return [
        html.P(link("← to the front", back), className="meta"),
        html.H1(shot.summary.namer.name(details.trial.candidate) or shot.row.name),
        html.P(_where(details, record, shot), className="meta"),
        *_failure(details),
        *_flags(record),
        *(_export(page, shot, record) if record else []),
        *evidence.numbers(record, details),
        *evidence.samples(record),
        html.Div(
            [html.Div(_parameters(details)), html.Div(evidence.gates(details))], className="two"
        ),
        *evidence.telemetry(details),
        *evidence.logs(details),
    ]


def _where(details: Details, record: Measured | None, shot: Snapshot) -> str:
    trial = details.trial
    parts = [f"trial {trial.id} of {shot.row.name} on {trial.rig}", str(trial.state)]
    if record is not None:
        place = next(
            (
                found.level
                for group in shot.summary.groups
                if (found := group.front.place(record.trial_id)) is not None
            ),
            None,
        )
        parts += [record.engine_label] if record.engine_label else []
        parts += [{"front": "on the front", "tied": "tied with the front"}.get(place or "", "")]
        parts += ["baseline"] if record.is_baseline else []
        parts += ["verified"] if record.verified else []
        parts += ["simulated"] if record.simulated else []
    return " · ".join(part for part in parts if part)


def _failure(details: Details) -> list[Component]:
    from dash import html

    from dashboards.plain_text import printable

    made: list[Component] = []
    for attempt in details.attempts:
        why = getattr(attempt.outcome, "diagnosis", None)
        if why is not None:
            kind = str(why.kind).replace("_", " ")
            made.append(
                html.Div(
                    [
                        html.Strong(f"Failed: {kind}. "),
                        why.advice,
                        html.Pre(printable(why.evidence), tabIndex=0),
                    ],
                    className="warning",
                )
            )
    return made


def _flags(record: Measured | None) -> list[Component]:
    from dash import html

    if record is None or not record.flags:
        return []
    return [html.Ul([html.Li(describe(flag)) for flag in record.flags], className="notes")]


def _export(page: Page, shot: Snapshot, record: Measured) -> list[Component]:
    form = page.state.form if page.state.form in export_formats() else USUAL_FORM
    try:
        request = Exporter(shot.hosts, shot.summary.namer).request(record)
        text = export(form, [request])
    except ExportError as error:
        return [note(str(error))]
    return [copyable("export", text)]


def _parameters(details: Details) -> list[Component]:
    """What was asked for, and what the engine really did where that differs."""
    from dash import html

    effective = {}
    for attempt in details.attempts:
        effective.update(attempt.job.effective)
    asked = details.trial.candidate.as_dict()
    rows = [
        [name, str(asked.get(name, "–")), str(effective.get(name, "as asked"))]
        for name in dict.fromkeys((*asked, *effective))
    ]
    keys = {
        "asked": details.trial.asked_key,
        "resolved": details.trial.resolved_key or "–",
        "effective": details.trial.effective_key or "–",
    }
    return [
        html.H3("Parameters"),
        table(("parameter", "asked", "effective"), rows, words=range(3)),
        facts({f"{name} key": key for name, key in keys.items()}),
    ]
