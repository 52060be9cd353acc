"""What failed, by class, with the decisive line and what to do about it."""

from __future__ import annotations

from collections import defaultdict

from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Column, Table
from orchestrator.analysis.report.facts import Facts

_COLUMNS = (
    Column("kind", "class"),
    Column("candidates", "candidates"),
    Column("which", "which"),
    Column("evidence", "evidence"),
    Column("advice", "advice"),
    Column("repeats", "would repeat itself"),
)
_NAMED = 3  # as many candidates are named, the others counted


class Failures:
    """A failure is a result: one row for each reason, the most frequent first."""

    name = "failures"
    title = "Failures"
    order = 100

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """One table over all rigs."""
        reasons: dict[tuple[str, str, str, bool], list[Measured]] = defaultdict(list)
        for record in facts.summary.records:
            if record.state is State.FAILED and (why := record.failure) is not None:
                kind = why.kind.value.replace("_", " ")
                reasons[kind, why.evidence, why.advice, why.deterministic].append(record)
        if not reasons:
            raise NothingToShow("no candidate failed")
        rows = tuple(
            (
                kind,
                str(len(records)),
                _which(records, facts),
                evidence,
                advice,
                "yes" if deterministic else "no",
            )
            for (kind, evidence, advice, deterministic), records in sorted(
                reasons.items(), key=lambda item: -len(item[1])
            )
        )
        return (Table("failures", _COLUMNS, rows),)


def _which(records: list[Measured], facts: Facts) -> str:
    names = [facts.summary.namer.name(record.candidate) for record in records[:_NAMED]]
    more = len(records) - len(names)
    return "; ".join(names) + (f"; {more} more" if more else "")


SECTION = Failures()
