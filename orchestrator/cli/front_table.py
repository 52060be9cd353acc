"""The front as a table, with the baseline beside it and ties shown as ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.analysis.front import Level, Placed
from orchestrator.analysis.headings import heading
from orchestrator.analysis.records import Measured
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.words import Namer, number, unit
from orchestrator.cli.tables import table
from workers.statistics.flags import describe

if TYPE_CHECKING:
    from rich.table import Table

# In the order in which people give them up where a terminal is narrow, the last one first.
BESIDE = ("tok_s", "ppl", "speedup", "ppl_delta_pct", "kld_mean", "mem_peak_mib", "acceptance")
GAP = 3  # columns between two columns of a table
NAME = 24  # columns below which a candidate's name cannot be read any more


@dataclass(frozen=True)
class FrontTable:
    """The table, and the lines that belong under it."""

    table: Table
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Row:
    record: Measured
    place: str


def front_table(group: GroupSummary, namer: Namer, width: int) -> FrontTable:
    """Members first, best of the first goal on top; then the baselines that are not on it.

    The best candidate with a draft is added where none is a member: that it lost is a result.
    Columns that are no goals and do not fit into `width` are left out, and named below.
    """
    rows = _rows(group)
    flags = list(dict.fromkeys(flag for row in rows for flag in row.record.flags))
    marks = {flag: f"[{position}]" for position, flag in enumerate(flags, 1)}
    ends = [" ".join((row.place, *sorted(marks[f] for f in row.record.flags))) for row in rows]
    goals = tuple(group.front.objectives)
    metrics = [m for m in dict.fromkeys((*goals, *BESIDE)) if _has(group.records, m)]
    cells = {m: [cell(row.record, m) for row in rows] for m in metrics}
    kept = _fitting(cells, goals, width - 8 - NAME - max(map(len, ends), default=0) - 3 * GAP)
    notes = [f"{mark} {describe(flag)}" for flag, mark in marks.items()]
    if left_out := [heading(m) for m in metrics if m not in kept]:
        notes.append(f"Not shown, for lack of room: {', '.join(left_out)}.")
    names = [(row.record.candidate.asked_key[:8], namer.name(row.record.candidate)) for row in rows]
    made = table(
        f"Front: {group.title}",
        ["key", "candidate", *(f">{heading(m)}" for m in kept), "place"],
        [
            [*name, *(cells[m][i] for m in kept), end]
            for i, (name, end) in enumerate(zip(names, ends, strict=True))
        ],
    )
    return FrontTable(made, tuple(notes))


def _rows(group: GroupSummary) -> list[_Row]:
    members = [place for place in group.front.placed if place.is_member]
    rows = [_Row(place.record, _place(place)) for place in members]
    shown = {place.record.trial_id for place in members}
    beside = {r.trial_id: _Row(r, "baseline") for r in group.baselines}
    for pick in group.picks:
        if pick.key == "draft":
            beside.setdefault(pick.record.trial_id, _Row(pick.record, "best with a draft"))
    return rows + [row for trial, row in beside.items() if trial not in shown]


def _place(place: Placed) -> str:
    word = "front" if place.level is Level.FRONT else "tied"
    return f"{word}, baseline" if place.record.is_baseline else word


def _fitting(cells: dict[str, list[str]], goals: Sequence[str], room: int) -> list[str]:
    """The metrics that fit, all of the goals first."""
    kept = list(cells)
    for metric in reversed(cells):
        needed = sum(max(map(len, [heading(m), *cells[m]])) + GAP for m in kept)
        if needed <= room:
            break
        if metric not in goals:
            kept.remove(metric)
    return kept


def _has(records: Sequence[Measured], metric: str) -> bool:
    return any(record.value(metric) is not None for record in records)


def cell(record: Measured, metric: str) -> str:
    """A value, and half its interval where it has one, with as many digits: 46.3 ±0.4."""
    value = record.value(metric)
    if value is None:
        return "–"
    text = number(metric, value)
    sign = unit(metric) if metric == "speedup" else ""
    found = record.estimates.get(metric)
    # A perplexity's own interval is about the text, not about the difference people look for.
    if metric == "ppl" or found is None or found.low is None or found.high is None:
        return text + sign
    if found.low == found.high:  # a baseline's difference to itself, a count that repeats
        return text + sign
    digits = len(text.partition(".")[2])
    return f"{text}{sign} ±{(found.high - found.low) / 2:,.{digits}f}"
