"""Overview: the sweeps, how far they are, what runs now, what failed, when they end."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dashboards.library import Library
from dashboards.page import Page
from dashboards.parts import attributes, link, table
from dashboards.urls import State
from dashboards.verified import verification
from db.rows import SweepRow, TrialCounts
from db.states import SweepState

if TYPE_CHECKING:
    from dash.development.base_component import Component

TITLE = "Overview"


def controls(page: Page) -> list[Component]:
    """None: everything is shown."""
    return []


def body(page: Page) -> list[Component]:
    """A card for each sweep, newest first; running jobs on those that run."""
    from dash import html

    rows = page.library.sweeps()
    return [html.Div([_card(page.library, row) for row in rows], className="sweeps")]


def _card(library: Library, row: SweepRow) -> Component:
    from dash import html

    state = library.state(row)
    counts = library.database.trials.counts(row.id)
    here = State("front", sweep=(row.key,))
    started = row.started.astimezone()
    parts: list[Component] = [
        html.Div(
            [
                html.H2(link(row.title or row.name, here)),
                html.Span(state, className=f"state {state}"),
            ],
            className="head",
        ),
        html.P(
            f"{row.name} · {row.key[:8]} · started {started:%d %b %Y, %H:%M}"
            + (f" · run {row.runs}" if row.runs > 1 else ""),
            className="meta",
        ),
    ]
    parts += [_progress(row, rig, count) for rig, count in counts.items()]
    if not counts:
        parts.append(html.P("No trial was begun yet.", className="hint"))
    if state == SweepState.RUNNING:
        parts += _running(library, row, counts)
    parts += verification(library, row)
    if any(count.failed for count in counts.values()):
        failed = sum(count.failed for count in counts.values())
        parts.append(
            html.P(link(f"{failed:,} failed: see why", State("failures", sweep=(row.key,))))
        )
    return html.Section(parts, className="card sweep")


def _progress(row: SweepRow, rig: str, count: TrialCounts) -> Component:
    """Measured, failed and open trials of one rig as a bar; the end of it is the budget."""
    from dash import html

    ended = count.complete + count.failed + count.replayed
    most = max(row.space.budget.trials, count.total)
    over = row.state is SweepState.FINISHED
    end = ended if over else most
    words = [f"{count.complete:,} measured"]
    words += [f"{count.failed:,} failed"] if count.failed else []
    words += [f"{count.replayed:,} replayed"] if count.replayed else []
    words += [] if over else [f"of at most {most:,}"]

    def part(kind: str, n: int) -> Component:
        return html.Span(className=kind, style={"width": f"{100 * n / max(end, 1):.2f}%"})

    return html.Div(
        [
            html.Div([html.Span(rig, className="rig"), html.Span(", ".join(words))]),
            html.Div(
                [
                    part("done", count.complete),
                    part("replayed", count.replayed),
                    part("failed", count.failed),
                ],
                className="bar",
                role="progressbar",
                **attributes(
                    aria_label=f"trials on {rig}",
                    aria_valuemin=0,
                    aria_valuemax=end,
                    aria_valuenow=ended,
                ),
            ),
        ],
        className="progress",
    )


def _running(library: Library, row: SweepRow, counts: dict[str, TrialCounts]) -> list[Component]:
    from dash import html

    from orchestrator.analysis.words import describe

    jobs = [job for job in library.database.jobs.running() if job.sweep_id == row.id]
    made: list[Component] = []
    if (left := remaining_s(row, counts, datetime.now(UTC))) is not None:
        made.append(html.P(f"About {spoken(left)} left at most.", className="eta"))
    if jobs:
        lines = [
            [
                job.rig,
                ", ".join(sorted(job.memo)),
                describe(job.resolved.candidate),
                f"{job.started.astimezone():%H:%M:%S}",
            ]
            for job in jobs
        ]
        heads = ("rig", "measuring", "candidate", "since")
        made.append(table(heads, lines, words=(0, 1, 2)))
    return made


def remaining_s(row: SweepRow, counts: dict[str, TrialCounts], now: datetime) -> float | None:
    """Seconds until the budget is spent, at the pace since the start; None before the first end.

    At most: a space may be exhausted sooner. A sweep that was resumed has paused in between, so
    its pace is not known.
    """
    ended = {rig: c.complete + c.failed + c.replayed for rig, c in counts.items()}
    if row.runs > 1 or not any(ended.values()):
        return None
    passed = (now - row.started).total_seconds()
    left = (
        passed / done * max(0, row.space.budget.trials - done) for done in ended.values() if done
    )
    return max(left, default=None)


def spoken(seconds: float) -> str:
    """A duration as people say it: 40 s, 12 min, 3 h 20 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
