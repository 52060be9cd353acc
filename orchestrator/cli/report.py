"""What a finished sweep looks like: table and sentences, JSON, or a page."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from db.rows import SweepRow
from orchestrator.analysis.front import Placed
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.summary import GroupSummary, Summary
from orchestrator.cli.exporting import Exporter
from orchestrator.cli.front_table import front_table

if TYPE_CHECKING:
    from rich.console import Console

COMMANDS = ("best", "draft")  # the candidates whose commands a sweep prints


def show_result(out: Console, row: SweepRow, summary: Summary, exporter: Exporter) -> None:
    """Per group: the front, what it means in sentences, and two commands to run."""
    for group in summary.groups:
        out.print()
        out.print(front_table(group, summary.namer))
        for sentence in group.sentences:
            out.print(sentence, soft_wrap=True)
        _commands(out, group, exporter)
    out.print(f"\nSweep {row.key[:8]} of {row.name}.", soft_wrap=True)


def _commands(out: Console, group: GroupSummary, exporter: Exporter) -> None:
    from orchestrator.analysis.exports.registry import export

    for pick in group.picks:
        if pick.key in COMMANDS and not pick.record.simulated:
            out.print(f"\n{pick.title}:", style="bold")
            text = export("command", [exporter.request(pick.record)])
            out.print(text.rstrip(), soft_wrap=True)


def write_html(path: Path, row: SweepRow, summary: Summary) -> None:
    """Writes the self-contained page of the front."""
    from dashboards.static_page import write_page

    write_page(path, summary)


def print_json(row: SweepRow, summary: Summary) -> None:
    """One object on standard output; `front` is the list of candidates on the fronts."""
    print(json.dumps(as_json(row, summary), indent=2, ensure_ascii=False))


def as_json(row: SweepRow, summary: Summary) -> dict[str, object]:
    """The sweep's result as plain data."""
    return {
        "sweep": row.key,
        "name": row.name,
        "objectives": {name: way.value for name, way in row.space.objectives.items()},
        "simulated": summary.simulated,
        "front": [
            candidate(place.record)
            | {"place": place.level.value, "ties": list(_keys(group, place))}
            for group in summary.groups
            for place in group.front.placed
            if place.is_member
        ],
        "picks": {
            group.title: {pick.key: pick.record.candidate.asked_key for pick in group.picks}
            for group in summary.groups
        },
        "summary": [sentence for group in summary.groups for sentence in group.sentences],
        "measured": [candidate(r) for r in summary.records if r.state is State.COMPLETE],
        "failed": [
            candidate(r) | {"failure": asdict(r.failure) if r.failure else None}
            for r in summary.records
            if r.state is State.FAILED
        ],
    }


def _keys(group: GroupSummary, place: Placed) -> list[str]:
    by_id = {record.trial_id: record.candidate.asked_key for record in group.records}
    return [by_id[trial] for trial in place.ties]


def candidate(record: Measured) -> dict[str, object]:
    """One candidate with its numbers and their intervals."""
    return {
        "key": record.candidate.asked_key,
        "rig": record.rig,
        "candidate": record.candidate.as_dict(),
        "engine_build": record.engine_label,
        "baseline": record.is_baseline,
        "flags": list(record.flags),
        "verified": record.verified,
        "metrics": {
            name: {"value": e.value, "low": e.low, "high": e.high, "n": e.n}
            for name, e in record.estimates.items()
        },
    }
