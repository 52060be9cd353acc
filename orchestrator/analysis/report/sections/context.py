"""Context capacity against speed and memory, where more than one capacity was measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Cell, Column, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import number_of, of_comparison
from orchestrator.analysis.report.selection import notable
from orchestrator.analysis.report.verdicts import speed_word
from orchestrator.analysis.words import Namer
from search_spaces.candidate import Candidate

_COLUMNS = (
    Column("candidate", "candidate"),
    Column("ctx", "ctx"),
    Column("tok_s", "tok/s"),
    Column("speedup", "speed-up"),
    Column("to_shortest", "of the shortest"),
    Column("verdict", "verdict"),
    Column("mem_peak_mib", "peak MiB"),
)


class ContextSizes:
    """What decisions are about, at every capacity: fronts, picks and baselines."""

    name = "context"
    title = "Context capacity"
    order = 70

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each rig."""
        wanted = {_but_ctx(r.candidate) for group in facts.groups for r in notable(group)}
        found = [
            (rig, list(_families(facts.complete, rig, wanted))) for rig in sorted(facts.comparers)
        ]
        tables = [
            Table(rig, _COLUMNS, tuple(_rows(families, facts.summary.namer, facts.comparers[rig])))
            for rig, families in found
            if families
        ]
        if not tables:
            raise NothingToShow("every candidate was measured at one context capacity only")
        return (*tables, Text(_note(facts)))


def _note(facts: Facts) -> str:
    fill = facts.sweep.space.measure.throughput.fill
    if fill:
        return f"{100 * fill:.0f} % of the context was filled with text before timing."
    return (
        "Capacity is not depth: the context was allocated, not filled. How speed falls with a "
        "filled context is shown at depth, where that was measured."
    )


def _but_ctx(candidate: Candidate) -> Candidate:
    return replace(candidate, ctx=0)


def _families(
    records: Iterable[Measured], rig: str, wanted: set[Candidate]
) -> Iterator[list[Measured]]:
    """Candidates that differ in ctx only, the smallest capacity first."""
    found: dict[Candidate, list[Measured]] = {}
    for record in records:
        shared = _but_ctx(record.candidate)
        if record.rig == rig and shared in wanted and record.value("tok_s") is not None:
            found.setdefault(shared, []).append(record)
    for same in found.values():
        if len({record.candidate.ctx for record in same}) > 1:
            yield sorted(same, key=lambda r: (r.candidate.ctx, r.trial_id))


def _rows(
    families: Iterable[list[Measured]], namer: Namer, comparer: Comparer
) -> Iterator[tuple[Cell, ...]]:
    shared = Namer(tuple(part for part in namer.parts if part != "ctx"), namer.family)
    for same in families:
        for record in same:
            made = comparer.compare(record, same[0], "tok_s")
            first = record is same[0]
            yield (
                shared.name(record.candidate),
                f"{record.candidate.ctx:,}",
                number_of(record, "tok_s"),
                number_of(record, "speedup"),
                None if first else of_comparison("speedup", made),
                "shortest" if first else speed_word(made),
                number_of(record, "mem_peak_mib"),
            )


SECTION = ContextSizes()
