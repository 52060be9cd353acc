"""Results per class of prompts, beside the pooled ones."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.analysis.classes import Classes
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.dominance import DOMINANCE_ALPHA
from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Cell, Column, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import metric_columns, number_of, of_comparison
from orchestrator.analysis.report.selection import complete, fastest, picked
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.truth import NO_DIFFERENCE
from workers.statistics.comparison import Verdict

_METRICS = ("tok_s", "speedup", "acceptance")
_PICKED = (
    Column("candidate", "candidate"),
    Column("class", "class"),
    Column("prompts", "prompts"),
    *metric_columns(_METRICS),
)
_FASTEST = (
    Column("class", "class"),
    Column("candidate", "fastest"),
    Column("tok_s", "tok/s"),
    Column("to_pooled", "of the fastest over all"),
    Column("verdict", "verdict"),
)

_OWN_WINNER = {
    Verdict.BETTER: "faster here",
    Verdict.WORSE: "slower here",
    Verdict.TIE: NO_DIFFERENCE,
}


class PromptClasses:
    """What is recommended on each class, and whether each class would have another winner."""

    name = "classes"
    title = "Classes of prompts"
    order = 90

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each rig, and one for each front."""
        classes = facts.summary.classes
        if not classes:
            raise NothingToShow("all prompts are of one class")
        blocks: list[Block] = []
        for rig in facts.comparers:
            blocks.append(Table(rig, _PICKED, tuple(_picks(facts, rig))))
        for group in facts.groups:
            rows = tuple(_winners(group, classes))
            blocks.append(Table(f"{group.title}: fastest of each class", _FASTEST, rows))
        note = (
            "A rate is all tokens of a class over all of their time; comparisons are paired by "
            "the class's prompts. Intervals are about repetitions of these prompts, not about "
            "other prompts of the class. A class's own winner is the best of many, so it is "
            f"called faster only at the level of the front (p below {DOMINANCE_ALPHA:g})."
        )
        return (*(b for b in blocks if not isinstance(b, Table) or b.rows), Text(note))


def _picks(facts: Facts, rig: str) -> Iterator[tuple[Cell, ...]]:
    for record in (pick.record for pick in picked(facts) if pick.rig == rig):
        name = facts.summary.namer.name(record.candidate)
        yield _row(name, "all", record)
        for label, own in facts.summary.classes.items():
            if record.trial_id in own:
                yield _row(name, label, own[record.trial_id])


def _row(name: str, label: str, record: Measured) -> tuple[Cell, ...]:
    prompts = len({sample.label for sample in record.throughput})
    numbers = (number_of(record, metric) for metric in _METRICS)
    return (name, label, str(prompts), *numbers)


def _winners(group: GroupSummary, classes: Classes) -> Iterator[tuple[Cell, ...]]:
    """Each class's fastest beside the fastest over all prompts, on the class's prompts."""
    over_all = fastest(complete(group))
    trials = {record.trial_id for record in group.records}
    for label, own in classes.items():
        records = [record for trial, record in own.items() if trial in trials]
        best, usual = fastest(records), over_all and own.get(over_all.trial_id)
        if best is None:
            continue
        name = group.namer.name(best.candidate)
        if usual is None or usual is best:
            yield (label, name, number_of(best, "tok_s"), None, "the same" if usual else None)
            continue
        made = Comparer(records).compare(best, usual, "tok_s")
        yield (
            label,
            name,
            number_of(best, "tok_s"),
            of_comparison("speedup", made),
            _OWN_WINNER[made.verdict_at(DOMINANCE_ALPHA)],
        )


SECTION = PromptClasses()
