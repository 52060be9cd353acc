"""The front: what nothing else significantly beats."""

from __future__ import annotations

from orchestrator.analysis.front import Level
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Column, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import measured, metric_columns, number_of
from orchestrator.analysis.report.selection import notable
from orchestrator.analysis.sentences import front_size, undecided
from orchestrator.analysis.summary import GroupSummary

_BESIDE = ("tok_s", "speedup", "ppl", "ppl_delta_pct", "kld_mean", "mem_peak_mib", "acceptance")


class FrontSection:
    """Members, best of the first goal on top; then baselines and picks that are not on it."""

    name = "front"
    title = "The front"
    order = 30

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each front, with how many took part."""
        blocks: list[Block] = []
        for group in facts.groups:
            if group.front.placed:
                blocks.append(_table(group))
                said = (front_size(group.front), undecided(group.front))
                blocks.extend(Text(sentence) for sentence in said if sentence)
        if not blocks:
            raise NothingToShow("no candidate has all objectives")
        return tuple(blocks)


def _table(group: GroupSummary) -> Table:
    records = notable(group)
    metrics = measured(records, (*group.front.objectives, *_BESIDE))
    columns = (
        Column("key", "key"),
        Column("candidate", "candidate"),
        *metric_columns(metrics),
        Column("place", "place"),
        Column("flags", "flags"),
    )
    rows = tuple(
        (
            record.candidate.asked_key[:8],
            group.namer.name(record.candidate),
            *(number_of(record, metric) for metric in metrics),
            _place(group, record.trial_id) + (", baseline" if record.is_baseline else ""),
            ", ".join(record.flags) or None,
        )
        for record in records
    )
    return Table(group.title, columns, rows)


def _place(group: GroupSummary, trial: int) -> str:
    place = group.front.place(trial)
    if place is None:
        return "outside the limits"
    return {Level.FRONT: "front", Level.TIED: "tied", Level.DOMINATED: "dominated"}[place.level]


SECTION = FrontSection()
