"""What a candidate's numbers rest on: intervals, raw samples, gates, telemetry, logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboards.cells import HEADS
from dashboards.figures.samples import samples_figure
from dashboards.figures.telemetry import telemetry_figure
from dashboards.parts import copyable, facts, graph, note, table
from dashboards.plain_text import printable
from dashboards.trial_details import Attempt, Details
from orchestrator.analysis.records import Measured
from orchestrator.analysis.words import number, unit
from search_spaces.metrics import METRICS

if TYPE_CHECKING:
    from dash.development.base_component import Component

_LOG_LINES = 60


def numbers(record: Measured | None, details: Details) -> list[Component]:
    """Every metric with its interval, how many observations stand behind it, and its build."""
    from dash import html

    if record is None or not record.estimates:
        return []
    rows: list[list[Any]] = []
    for name in [*METRICS, *sorted(set(record.estimates) - set(METRICS))]:
        found = record.estimates.get(name)
        if found is None:
            continue
        known = found.low is not None and found.high is not None
        of_text = " (of the text)" if name == "ppl" else ""
        source = details.measurements.get(name)
        about = METRICS[name].meaning if name in METRICS else ""
        rows.append(
            [
                HEADS.get(name, name.replace("_", " ")),
                f"{number(name, found.value)} {unit(name)}".rstrip(),
                f"{number(name, found.low or 0.0)} to {number(name, found.high or 0.0)}{of_text}"
                if known
                else "–",
                f"{found.n:,}",
                source.build_label if source else "",
                about,
            ]
        )
    heads = ("metric", "value", "95 % interval", "n", "build", "meaning")
    return [html.H3("Numbers"), table(heads, rows, words=(0, 4, 5))]


def samples(record: Measured | None) -> list[Component]:
    """Raw speeds by request; raw likelihoods by chunk."""
    from dash import html

    if record is None:
        return []
    made: list[Component] = []
    for metric, what in (("tok_s", "generation speed"), ("acceptance", "accepted drafts")):
        figure = samples_figure(record.throughput, metric)
        if figure is not None:
            made.append(graph(f"samples-{metric}", figure, f"Raw {what} of every request"))
    if not made:
        return []
    return [
        html.H3("Raw samples"),
        note("A dot is one request; colour and shape tell launches of the engine apart."),
        *made,
    ]


def gates(details: Details) -> list[Component]:
    """What every check said, the failed ones first."""
    from dash import html

    found = [
        gate
        for attempt in details.attempts
        if attempt.outcome is not None
        for gate in attempt.outcome.trace.gates
    ]
    if not found:
        return []
    once = dict.fromkeys(sorted(found, key=lambda gate: (gate.passed, gate.gate)))
    rows: list[list[Any]] = [
        [
            html.Span(gate.gate.replace("_", " "), className="pass" if gate.passed else "fail"),
            printable(gate.detail),
        ]
        for gate in once
    ]
    return [html.H3("Gates"), table(("gate", "what it saw"), rows, words=range(2))]


def telemetry(details: Details) -> list[Component]:
    """The figures of the rig while it measured."""
    from dash import html

    made: list[Component] = []
    for attempt in details.attempts:
        if attempt.job.telemetry:
            title = f"Telemetry of {', '.join(sorted(attempt.job.memo))}"
            pairs = {
                name.replace("_", " "): number(name, value)
                for name, value in sorted(attempt.job.telemetry.items())
            }
            made += [html.H3(title), *_course(attempt), facts(pairs)]
    return made


def _course(attempt: Attempt) -> list[Component]:
    launches = attempt.outcome.trace.launches if attempt.outcome else ()
    figure = telemetry_figure([launch.series for launch in launches if launch.series])
    if figure is None:
        return []
    return [graph(f"telemetry-{attempt.job.id}", figure, "Telemetry of the rig over each launch")]


def logs(details: Details) -> list[Component]:
    """How each engine was started and the end of its log, without terminal codes."""
    from dash import html

    made: list[Component] = []
    for index, attempt in enumerate(details.attempts):
        job = attempt.job
        facets = ", ".join(sorted(job.memo))
        took = f", {job.wall_s:.0f} s" if job.wall_s is not None else ""
        inside: list[Component] = [
            html.P(f"{job.state}{took}, log {printable(job.log_path)}", className="meta")
        ]
        if job.argv:
            import shlex

            command = printable(shlex.join(job.argv))
            inside.append(copyable(f"argv-{index}", command, "Copy as run"))
        if job.log_tail:
            tail = "\n".join(printable(job.log_tail).splitlines()[-_LOG_LINES:])
            inside.append(html.Pre(tail, tabIndex=0, className="log"))
        made.append(html.Details([html.Summary(f"Log of {facets} (job {job.id})"), *inside]))
    return [html.H3("As it was run"), *made] if made else []
