"""What was checked, and what was noticed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from datetime import UTC

from orchestrator.analysis.dominance import dominates
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Cell, Column, Number, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import of_comparison
from orchestrator.analysis.truth import NO_DIFFERENCE
from workers.statistics.flags import describe
from workers.statistics.quantiles import chi2_bounds

_GATES = (
    Column("gate", "gate"),
    Column("passed", "passed"),
    Column("flagged", "flagged"),
    Column("failed", "failed"),
)
_FLAGS = (Column("flag", "flag"), Column("candidates", "candidates"), Column("meaning", "meaning"))
_FRONTS = (
    Column("front", "front"),
    Column("members", "members"),
    Column("dominated", "of them significantly dominated"),
)
_DRIFT = (
    Column("rig", "rig"),
    Column("at", "baseline measured again (UTC)"),
    Column("change", "of its first speed"),
    Column("verdict", "verdict"),
)
_SPREADS = (
    Column("rig", "rig"),
    Column("launch_spread_pct", "launches differ by % (standard deviation)"),
)


class Integrity:
    """Gates and flags by how many candidates they concern, fronts, drift, repeatability."""

    name = "integrity"
    title = "Integrity"
    order = 110

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """Five tables, rigs that were left out, and whether a rig drifted."""
        if not facts.summary.records:
            raise NothingToShow("no trial has ended")
        tables = (
            Table("gates", _GATES, tuple(_gates(facts))),
            Table("flags", _FLAGS, tuple(_flags(facts))),
            Table("fronts", _FRONTS, tuple(_fronts(facts))),
            Table("drift", _DRIFT, tuple(_drift(facts))),
            Table("repeatability", _SPREADS, tuple(_spreads(facts))),
        )
        left_out = [Text(row.reason) for row in facts.left_out]
        return (
            *(table for table in tables if table.rows),
            *left_out,
            Text(_drifted(facts)),
        )


def _gates(facts: Facts) -> Iterator[tuple[Cell, ...]]:
    """Per gate, candidates by the worst that it said of them."""
    passed, flagged, failed = Counter[str](), Counter[str](), Counter[str]()
    for result in facts.results.values():
        fatal = {verdict.gate for verdict in result.gates if not verdict.passed and verdict.fatal}
        mild = {verdict.gate for verdict in result.gates if not verdict.passed} - fatal
        failed.update(fatal)
        flagged.update(mild)
        passed.update({verdict.gate for verdict in result.gates} - fatal - mild)
    for gate in sorted(passed | flagged | failed):
        yield (gate, str(passed[gate]), str(flagged[gate]), str(failed[gate]))


def _flags(facts: Facts) -> Iterator[tuple[Cell, ...]]:
    counts = Counter(flag for record in facts.summary.records for flag in record.flags)
    for flag, count in counts.most_common():
        yield (flag, str(count), describe(flag))


def _fronts(facts: Facts) -> Iterator[tuple[Cell, ...]]:
    """Every member looked at again beside everything that took part."""
    for group in facts.groups:
        goals, comparer = group.front.objectives, facts.comparers[group.key.rig]
        rivals = [place.record for place in group.front.placed]
        beaten = sum(
            any(r is not m and dominates(r, m, goals, comparer) for r in rivals)
            for m in group.front.members
        )
        if rivals:
            yield (group.title, str(len(group.front.members)), str(beaten))


def _drift(facts: Facts) -> Iterator[tuple[Cell, ...]]:
    for one in facts.summary.drift:
        for check in one.checks:
            at = f"{check.at.astimezone(UTC):%Y-%m-%d %H:%M}"
            word = "drifted" if check.drifted else NO_DIFFERENCE
            yield (one.rig, at, of_comparison("speedup", check.change), word)


def _spreads(facts: Facts) -> Iterator[tuple[Cell, ...]]:
    for rig, spreads in facts.spreads.items():
        if (spread := spreads.get("tok_s")) is not None:
            low, high = chi2_bounds(spread.df)
            sd = 100 * math.sqrt(spread.variance)
            bounds = (sd * math.sqrt(low), sd * math.sqrt(high))
            yield (rig, Number("launch_spread_pct", sd, *bounds, n=int(spread.df)))


def _drifted(facts: Facts) -> str:
    """What the checks of the baseline say, and what was done about it."""
    if not facts.summary.drift:
        return "The baseline was not measured again: whether the rig drifted is not known."
    touched = sum(len(one.touched) for one in facts.summary.drift)
    if not any(one.drifted for one in facts.summary.drift):
        return "No drift of a baseline was shown."
    return f"{touched} results measured beside a drifted baseline are flagged, none is corrected."


SECTION = Integrity()
