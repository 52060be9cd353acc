"""Failures: what went wrong, by class, with the line that says so and what to do about it."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dashboards.controls import filters, sweeps
from dashboards.page import Page
from dashboards.parts import note, nothing, table, to_candidate
from dashboards.plain_text import printable
from dashboards.snapshot import Snapshot
from orchestrator.analysis.records import Measured, State

if TYPE_CHECKING:
    from dash.development.base_component import Component

TITLE = "Failures"
_MOST_LINES = 5  # different log lines of a class
_MOST_ROWS = 25  # candidates of a class


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed candidate and the sweep it is of."""

    record: Measured
    shot: Snapshot

    @property
    def name(self) -> str:
        """What differs from the other candidates of its sweep."""
        return self.shot.summary.namer.name(self.record.candidate)


def controls(page: Page) -> list[Component]:
    """Sweeps and filters."""
    return [sweeps(page), *filters(page)]


def body(page: Page) -> list[Component]:
    """A section for each class of failure, the most frequent first."""
    from dash import html

    found: dict[str, list[Failure]] = defaultdict(list)
    ended = 0
    for shot in page.chosen:
        for record in shot.everything:
            if not page.passes(record):
                continue
            ended += 1
            if record.state is State.FAILED:
                kind = str(record.failure.kind) if record.failure else "unknown"
                found[kind].append(Failure(record, shot))
    if not found:
        return [nothing(f"Nothing failed among {ended:,} candidates.")]
    failed = sum(map(len, found.values()))
    ordered = sorted(found.items(), key=lambda item: -len(item[1]))
    return [
        html.P(f"{failed:,} of {ended:,} candidates failed.", className="headline"),
        *(_section(page, kind, failures) for kind, failures in ordered),
    ]


def _section(page: Page, kind: str, failures: list[Failure]) -> Component:
    from dash import html

    advice = Counter(f.record.failure.advice for f in failures if f.record.failure)
    lines = Counter(f.record.failure.evidence for f in failures if f.record.failure)
    repeats = any(f.record.failure and f.record.failure.deterministic for f in failures)
    again = "It would fail again." if repeats else "It may work when tried again."
    parts: list[Component] = [
        html.H2(f"{kind.replace('_', ' ').capitalize()}: {len(failures):,}"),
        html.P(" ".join([*(text for text, _ in advice.most_common(2)), again])),
    ]
    parts += [
        html.Pre(printable(line) + (f"   ×{count:,}" if count > 1 else ""), tabIndex=0)
        for line, count in lines.most_common(_MOST_LINES)
    ]
    if len(lines) > _MOST_LINES:
        parts.append(note(f"and {len(lines) - _MOST_LINES:,} other lines"))
    places = ["sweep", "rig"] if page.several else ["rig"]
    rows: list[list[Any]] = [
        [
            to_candidate(page, failure.name, failure.record.trial_id),
            *([failure.shot.row.name] if page.several else []),
            failure.record.rig,
        ]
        for failure in failures[:_MOST_ROWS]
    ]
    parts.append(table(["candidate", *places], rows, words=range(3)))
    if len(failures) > _MOST_ROWS:
        parts.append(note(f"and {len(failures) - _MOST_ROWS:,} more candidates"))
    return html.Section(parts, className="failure")
