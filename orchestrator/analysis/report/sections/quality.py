"""What generated programs do, by task: 0 (nothing) to 3 (all that was asked)."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Cell, Column, Number, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import number_of, of_estimate
from orchestrator.analysis.report.selection import complete
from orchestrator.analysis.summary import GroupSummary
from workers.statistics.scores import quality


class Quality:
    """Every candidate whose programs were scored, over all tasks and for each one."""

    name = "quality"
    title = "Generated programs"
    order = 95

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each front."""
        tables = [_table(group, own) for group in facts.groups if (own := _scored(group))]
        if not tables:
            raise NothingToShow("no generated programs were scored")
        note = (
            "Points from 0 to 3 for what a program does when it is run, not for how it reads. "
            "Intervals come from repeating each task; few repetitions make them wide."
        )
        return (*tables, Text(note))


def _scored(group: GroupSummary) -> list[Measured]:
    return [record for record in complete(group) if "quality_score" in record.estimates]


def _table(group: GroupSummary, records: Sequence[Measured]) -> Table:
    tasks = sorted({sample.label for record in records for sample in record.scores})
    columns = (
        Column("candidate", "candidate"),
        Column("quality_score", "all tasks"),
        *(Column(task, task.replace("_", " ")) for task in tasks),
    )
    return Table(group.title, columns, tuple(_row(group, record, tasks) for record in records))


def _row(group: GroupSummary, record: Measured, tasks: Sequence[str]) -> tuple[Cell, ...]:
    name = group.namer.name(record.candidate)
    whole = number_of(record, "quality_score")
    return (name, whole, *(_of_task(record, task) for task in tasks))


def _of_task(record: Measured, task: str) -> Number | None:
    own = [sample for sample in record.scores if sample.label == task]
    return of_estimate(quality(own), record.simulated) if own else None


SECTION = Quality()
