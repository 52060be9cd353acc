"""Which candidate to use, by goal."""

from __future__ import annotations

from orchestrator.analysis.headings import heading
from orchestrator.analysis.recommend import Pick
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Column, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import measured, metric_columns, number_of
from orchestrator.analysis.report.wording import interval
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.truth import NO_DIFFERENCE

_BESIDE = ("tok_s", "speedup", "ppl", "ppl_delta_pct", "kld_mean")


class Recommendation:
    """Best balance, maximum speed, maximum quality, best with a draft; and what came next."""

    name = "recommendation"
    title = "Recommendation by goal"
    order = 10

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each front."""
        tables = [self._table(group) for group in facts.groups if group.picks]
        if not tables:
            raise NothingToShow("nothing was measured to the end")
        note = (
            "The runner-up is the next best in what the row is about. A lead inside the noise is "
            f'"{NO_DIFFERENCE}": then either will do.'
        )
        return (*tables, Text(note))

    @staticmethod
    def _table(group: GroupSummary) -> Table:
        goals = (*group.front.objectives, *_BESIDE)
        metrics = measured((pick.record for pick in group.picks), goals)
        columns = (
            Column("goal", "goal"),
            Column("candidate", "candidate"),
            *metric_columns(metrics),
            Column("runner_up", "over the runner-up"),
        )
        rows = tuple(
            (
                pick.title,
                group.namer.name(pick.record.candidate),
                *(number_of(pick.record, metric) for metric in metrics),
                _lead(pick, group),
            )
            for pick in group.picks
        )
        return Table(group.title, columns, rows)


def _lead(pick: Pick, group: GroupSummary) -> str:
    if pick.runner_up is None:
        return "no other candidate"
    name = group.namer.name(pick.runner_up.candidate)
    if not pick.shown:
        return f"{name}: {NO_DIFFERENCE}"
    shown = ", ".join(f"{heading(made.metric)} {interval(made)}" for made in pick.against)
    return f"{name}: {shown}"


SECTION = Recommendation()
