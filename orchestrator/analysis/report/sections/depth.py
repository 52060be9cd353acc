"""Speed against filled context: what is left of it at each depth."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Cell, Column, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import launches_of, metric_columns, of_estimate
from orchestrator.analysis.report.selection import notable
from orchestrator.analysis.summary import GroupSummary

_METRICS = ("tok_s", "prompt_tok_s", "ttft_ms", "acceptance")
_COLUMNS = (
    Column("candidate", "candidate"),
    Column("depth", "depth"),
    Column("tokens", "prompt tokens"),
    *metric_columns(_METRICS),
)


class Depth:
    """What decisions are about (fronts, picks, baselines) at every depth that was asked for."""

    name = "depth"
    title = "Speed at depth"
    order = 75

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each front."""
        tables = [Table(group.title, _COLUMNS, tuple(_rows(group))) for group in facts.groups]
        if not any(table.rows for table in tables):
            raise NothingToShow("speed with a filled context was not measured")
        note = "The context was filled with text that never repeats before timing."
        return (*(table for table in tables if table.rows), Text(note))


def _rows(group: GroupSummary) -> Iterator[tuple[Cell, ...]]:
    for record in notable(group):
        yield from _curve(record, group.namer.name(record.candidate))


def _curve(record: Measured, name: str) -> Iterator[tuple[Cell, ...]]:
    launches = launches_of(record.deep)
    for at in record.depths:
        known = {estimate.metric: estimate for estimate in at.estimates}
        numbers = (
            of_estimate(known[metric], record.simulated, launches) if metric in known else None
            for metric in _METRICS
        )
        yield (name, at.depth, f"{at.tokens:,}", *numbers)


SECTION = Depth()
