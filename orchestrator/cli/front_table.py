"""The front as a table, with the baseline beside it and ties shown as ties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from orchestrator.analysis.front import Level, Placed
from orchestrator.analysis.records import Measured
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.words import Namer, number, unit
from orchestrator.cli.tables import table

if TYPE_CHECKING:
    from rich.table import Table

BESIDE = ("tok_s", "speedup", "acceptance", "ppl", "ppl_delta_pct", "kld_mean", "mem_peak_mib")
HEADS = {
    "tok_s": "tok/s",
    "speedup": "speed-up",
    "acceptance": "accepted",
    "ppl": "PPL",
    "ppl_delta_pct": "ΔPPL %",
    "kld_mean": "KLD",
    "mem_peak_mib": "peak MiB",
    "ctx": "ctx",
}


def front_table(group: GroupSummary, namer: Namer) -> Table:
    """Members first, best of the first goal on top; then the baselines that are not on it.

    The best candidate with a draft is added where none is a member: that it lost is a result.
    """
    goals = group.front.objectives
    metrics = [m for m in dict.fromkeys((*goals, *BESIDE)) if _has(group.records, m)]
    members = [place for place in group.front.placed if place.is_member]
    rows = [_row(namer, place.record, metrics, _mark(place)) for place in members]
    shown = {place.record.trial_id for place in members}
    beside = {r.trial_id: (r, "baseline") for r in group.baselines}
    for pick in group.picks:
        if pick.key == "draft":
            beside.setdefault(pick.record.trial_id, (pick.record, "best with a draft"))
    rows += [
        _row(namer, record, metrics, mark)
        for key, (record, mark) in beside.items()
        if key not in shown
    ]
    columns = ["key", "candidate", *(f">{HEADS.get(m, m)}" for m in metrics), "place"]
    return table(f"Front: {group.title}", columns, rows)


def _has(records: Sequence[Measured], metric: str) -> bool:
    return any(record.value(metric) is not None for record in records)


def _mark(place: Placed) -> str:
    words = ["front" if place.level is Level.FRONT else "tied: no difference shown"]
    if place.record.is_baseline:
        words.append("baseline")
    if place.record.flags:
        words.append("flagged: " + ", ".join(place.record.flags))
    return ", ".join(words)


def _row(namer: Namer, record: Measured, metrics: Sequence[str], mark: str) -> list[str]:
    cells = [_cell(record, metric) for metric in metrics]
    return [record.candidate.asked_key[:8], namer.name(record.candidate), *cells, mark]


def _cell(record: Measured, metric: str) -> str:
    """A value with half its interval where it has one: 46.3 ±0.4."""
    value = record.value(metric)
    if value is None:
        return "–"
    text = number(metric, value)
    found = record.estimates.get(metric)
    # A perplexity's own interval is about the text, not about the difference people look for.
    if metric == "ppl" or found is None or found.low is None or found.high is None:
        return text + _sign(metric)
    half = (found.high - found.low) / 2
    return f"{text}{_sign(metric)} ±{number(metric, half, signed=False).lstrip('+')}"


def _sign(metric: str) -> str:
    return unit(metric) if metric == "speedup" else ""
