"""What each kind of speculation is worth: the fastest with it against the fastest without."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Cell, Column, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import number_of, of_comparison
from orchestrator.analysis.report.selection import complete, fastest
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.truth import NO_DIFFERENCE
from orchestrator.analysis.words import short_name
from workers.statistics.comparison import Verdict

_WORDS = {Verdict.BETTER: "gains", Verdict.WORSE: "loses", Verdict.TIE: NO_DIFFERENCE}
_COLUMNS = (
    Column("model", "model", known=True),
    Column("spec", "speculation"),
    Column("kv_without", "K/V"),
    Column("tok_s_without", "tok/s without"),
    Column("kv", "K/V"),
    Column("n_max", "n_max"),
    Column("tok_s", "tok/s with"),
    Column("speedup", "speed-up"),
    Column("acceptance", "accepted"),
    Column("accepted_len", "tokens a draft"),
    Column("verdict", "verdict"),
)


class Speculation:
    """Per model and kind of speculation: from so many to so many tok/s."""

    name = "speculation"
    title = "Speculation"
    order = 20

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each front."""
        if not any(record.candidate.drafts for record in facts.complete):
            raise NothingToShow("no candidate speculates")
        tables = [
            Table(group.title, _COLUMNS, tuple(_rows(group, facts.comparers[group.key.rig])))
            for group in facts.groups
        ]
        note = (
            "The fastest with against the fastest without, same model, each with the K/V types "
            "that suit it; compared paired by prompt."
        )
        return (*(table for table in tables if table.rows), Text(note))


def _rows(group: GroupSummary, comparer: Comparer) -> Iterator[tuple[Cell, ...]]:
    records = complete(group)
    for model in dict.fromkeys(r.candidate.model for r in records):
        own = [r for r in records if r.candidate.model == model]
        plain = fastest(r for r in own if not r.candidate.drafts)
        for spec in dict.fromkeys(r.candidate.spec for r in own if r.candidate.drafts):
            best = fastest(r for r in own if r.candidate.spec == spec)
            if best is not None:
                yield _row(best, plain, comparer)


def _row(best: Measured, plain: Measured | None, comparer: Comparer) -> tuple[Cell, ...]:
    c = best.candidate
    length = None if c.n_max is None else str(c.n_max)
    drafting = (c.kv, length, number_of(best, "tok_s"))
    accepted = (number_of(best, "acceptance"), number_of(best, "accepted_len"))
    if plain is None:
        why = "not measured without"
        return (short_name(c.model), c.spec, None, None, *drafting, None, *accepted, why)
    made = comparer.compare(best, plain, "tok_s")
    return (
        short_name(c.model),
        c.spec,
        plain.candidate.kv,
        number_of(plain, "tok_s"),
        *drafting,
        of_comparison("speedup", made),
        *accepted,
        _WORDS[made.verdict],
    )


SECTION = Speculation()
