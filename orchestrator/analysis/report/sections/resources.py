"""Memory, power and energy of the candidates that decisions are about."""

from __future__ import annotations

from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Column, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import measured, metric_columns, number_of, of_facet
from orchestrator.analysis.report.selection import notable
from orchestrator.analysis.summary import GroupSummary
from search_spaces.metrics import Facet

_METRICS = (
    *of_facet(Facet.MEMORY),
    "power_w",
    "joules_per_token",
    "prompt_tok_s",
    "ttft_ms",
    "e2e_tok_s",
)


class Resources:
    """What the card or the host was asked for, and what a request takes beside generation."""

    name = "resources"
    title = "Memory, energy and latency"
    order = 80

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each front."""
        tables = [table for group in facts.groups if (table := _table(group)) is not None]
        if not tables:
            raise NothingToShow("neither memory nor latency was measured")
        if not measured(facts.complete, ("joules_per_token",)):
            return (*tables, Text("Power and energy are told by NVIDIA cards only."))
        return tuple(tables)


def _table(group: GroupSummary) -> Table | None:
    records = notable(group)
    metrics = measured(records, _METRICS)
    if not metrics:
        return None
    return Table(
        group.title,
        (Column("candidate", "candidate"), *metric_columns(metrics)),
        tuple(
            (
                group.namer.name(record.candidate),
                *(number_of(record, metric) for metric in metrics),
            )
            for record in records
        ),
    )


SECTION = Resources()
