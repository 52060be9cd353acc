"""Which candidate to use, by goal."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.analysis.advice import RigAdvice
from orchestrator.analysis.goals.base import Absent, Pick
from orchestrator.analysis.goals.words import difference
from orchestrator.analysis.headings import heading
from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Cell, Column, Number, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import measured, metric_columns, number_of
from orchestrator.analysis.truth import NO_DIFFERENCE
from orchestrator.analysis.words import Namer

_BESIDE = ("tok_s", "speedup", "ppl", "ppl_delta_pct", "kld_mean", "joules_per_token")


class Recommendation:
    """The pick of every goal, all contexts of a rig competing, and what came next."""

    name = "recommendation"
    title = "Recommendation by goal"
    order = 10

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each rig, and which goals have no answer."""
        blocks: list[Block] = []
        for advice in facts.advice:
            picks = [answer for answer in advice.answers if isinstance(answer, Pick)]
            if picks:
                blocks.append(_table(advice.rig, picks, facts.summary.namer))
                blocks.extend(Text(line) for line in _unanswered(advice))
        if not blocks:
            raise NothingToShow("no candidate was measured to the end within the space's limits")
        return tuple(blocks)


def _table(rig: str, picks: list[Pick], namer: Namer) -> Table:
    records = [pick.record for pick in picks]
    about = [metric for pick in picks for metric in pick.about]
    metrics = measured(records, (*about, *_BESIDE))
    columns = (
        Column("goal", "goal"),
        Column("candidate", "candidate"),
        *metric_columns(metrics),
        Column("why", "why"),
        Column("runner_up", "next best, and what is between them"),
    )
    return Table(rig, columns, tuple(_row(pick, metrics, namer) for pick in picks))


def _row(pick: Pick, metrics: tuple[str, ...], namer: Namer) -> tuple[Cell, ...]:
    numbers: list[Number | None] = [number_of(pick.record, metric) for metric in metrics]
    name = namer.name(pick.record.candidate)
    return (pick.title, name, *numbers, pick.why, _next(pick, pick.runner_up, namer))


def _next(pick: Pick, second: Measured | None, namer: Namer) -> str:
    if second is None:
        return "there is no other"
    name = namer.name(second.candidate)
    if not pick.shown:
        return f"{name}: {NO_DIFFERENCE}"
    return f"{name}: {', '.join(f'{heading(m.metric)} {difference(m)}' for m in pick.against)}"


def _unanswered(advice: RigAdvice) -> Iterator[str]:
    for answer in advice.answers:
        if isinstance(answer, Absent):
            yield f"{answer.title}: {answer.reason}."


SECTION = Recommendation()
