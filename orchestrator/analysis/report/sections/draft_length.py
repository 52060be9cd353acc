"""How long a draft pays: every n_max of each family beside its fastest."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.draft_length import DraftLength, families, smallest_lengths
from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Cell, Column, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import number_of, of_comparison
from orchestrator.analysis.report.verdicts import speed_word
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.words import Namer

_COLUMNS = (
    Column("family", "all else equal"),
    Column("n_max", "n_max"),
    Column("tok_s", "tok/s"),
    Column("speedup", "speed-up"),
    Column("acceptance", "accepted"),
    Column("to_fastest", "of the fastest"),
    Column("verdict", "verdict"),
)


class DraftLengths:
    """Candidates that differ in n_max only."""

    name = "draft_length"
    title = "Draft length"
    order = 60

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each front, the fastest family first."""
        tables = [
            Table(group.title, _COLUMNS, tuple(_rows(group, facts.comparers[group.key.rig])))
            for group in facts.groups
        ]
        if not any(table.rows for table in tables):
            raise NothingToShow("no two candidates differ in their draft length only")
        note = (
            "Of lengths that are as fast as the fastest the shortest is advised: it needs less "
            "memory and loses less where fewer drafts are accepted."
        )
        return (*(table for table in tables if table.rows), Text(note))


def _rows(group: GroupSummary, comparer: Comparer) -> Iterator[tuple[Cell, ...]]:
    known = {r.trial_id: same for same in families(group.records).values() for r in same}
    shared = Namer(tuple(part for part in group.namer.parts if part != "n_max"), group.namer.family)
    for found in smallest_lengths(group.records, comparer):
        if len(found.lengths) > 1:
            for record in known[found.fastest.trial_id]:
                yield _row(record, found, shared, comparer)


def _row(
    record: Measured, found: DraftLength, shared: Namer, comparer: Comparer
) -> tuple[Cell, ...]:
    made = comparer.compare(record, found.fastest, "tok_s")
    word = "fastest" if record is found.fastest else speed_word(made)
    return (
        shared.name(record.candidate) or record.candidate.spec,
        str(record.candidate.n_max),
        number_of(record, "tok_s"),
        number_of(record, "speedup"),
        number_of(record, "acceptance"),
        None if record is found.fastest else of_comparison("speedup", made),
        f"{word}, advised" if record is found.smallest else word,
    )


SECTION = DraftLengths()
