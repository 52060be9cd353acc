"""What a second, fresh measurement said of the sweep's claims, and what nobody looked at again."""

from __future__ import annotations

from collections.abc import Iterator

from db.states import ClaimVerdict
from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Cell, Column, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.selection import Picked, picked
from orchestrator.analysis.verification.judge import KINDS

_TITLES = {kind.name: kind.title for kind in KINDS}
_WORDS = {
    ClaimVerdict.SURVIVED: "survived",
    ClaimVerdict.REFUTED: "REFUTED",
    ClaimVerdict.UNDECIDED: "undecided",
}
_COLUMNS = (
    Column("candidate", "candidate"),
    Column("rig", "rig", known=True),
    Column("claim", "claim"),
    Column("verdict", "verdict"),
    Column("found", "what the fresh run found"),
    Column("at", "on (UTC)"),
)


class Verification:
    """One row for each claim; then which recommendations are not verified, by name."""

    name = "verification"
    title = "Verification"
    order = 105

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """The claims of all rigs, if any, and a sentence."""
        if not facts.complete:
            raise NothingToShow("nothing was measured that could be verified")
        rows = tuple(row for record in facts.complete for row in _claims(record, facts))
        said = Text(_said(facts))
        return (Table("claims", _COLUMNS, rows), said) if rows else (said,)


def _claims(record: Measured, facts: Facts) -> Iterator[tuple[Cell, ...]]:
    if record.verification is None:
        return
    name = facts.summary.namer.name(record.candidate)
    on = f"{record.verification.at:%Y-%m-%d}"
    for claim in record.verification.claims:
        title = _TITLES.get(claim.kind, claim.kind)
        yield (name, record.rig, title, _WORDS[claim.verdict], claim.sentence, on)


def _said(facts: Facts) -> str:
    records = facts.complete
    done = sum(record.verified for record in records)
    if done == len(records):
        return "Every candidate was verified by a second, fresh measurement."
    head = f"{done} of {len(records)} candidates are verified by a second, fresh measurement."
    missing = [_named(pick, facts) for pick in picked(facts) if not pick.record.verified]
    if not missing:
        return f"{head} All that is recommended is among them."
    return f"{head} Not verified, of what is recommended: {'; '.join(missing)}."


def _named(pick: Picked, facts: Facts) -> str:
    name = facts.summary.namer.name(pick.record.candidate)
    return f"{name} ({pick.title.lower()}, {pick.rig})"


SECTION = Verification()
