"""K/V cache types against speed-up, perplexity and its change: the table that people post."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Cell, Column, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import measured, metric_columns, number_of, of_facet
from orchestrator.analysis.report.selection import complete, fastest
from orchestrator.analysis.report.verdicts import against
from orchestrator.analysis.report.wording import drafting
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.words import short_name
from search_spaces.metrics import Facet

_METRICS = (
    "tok_s",
    "speedup",
    "acceptance",
    "ppl",
    "ppl_delta_pct",
    "kld_mean",
    *of_facet(Facet.QUALITY),
)


class KvTypes:
    """One row for each model, K/V pair and kind of speculation: its fastest candidate."""

    name = "kv"
    title = "K/V cache types"
    order = 40

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each front that has more than one pair."""
        tables = [
            self._table(group, facts.comparers[group.key.rig])
            for group in facts.groups
            if len({record.candidate.kv for record in complete(group)}) > 1
        ]
        if not tables:
            raise NothingToShow("only one K/V pair was measured")
        note = (
            "Each row is the fastest candidate with that pair and kind of speculation. Speed-up "
            "and ΔPPL are over the model's baseline; the verdict is against the baseline's pair "
            "with the same kind of speculation."
        )
        return (*tables, Text(note))

    @staticmethod
    def _table(group: GroupSummary, comparer: Comparer) -> Table:
        records = complete(group)
        metrics = measured(records, _METRICS)
        rows: list[tuple[Cell, ...]] = []
        for model in dict.fromkeys(r.candidate.model for r in records):
            own = [r for r in records if r.candidate.model == model]
            rows.extend(_rows_of(own, metrics, comparer))
        columns = (
            Column("model", "model", known=True),
            Column("kv", "K/V"),
            Column("spec", "speculation"),
            *metric_columns(metrics),
            Column("verdict", "verdict"),
        )
        return Table(group.title, columns, tuple(rows))


def _rows_of(
    own: Sequence[Measured], metrics: Sequence[str], comparer: Comparer
) -> Iterator[tuple[Cell, ...]]:
    """One model's pairs by kind of speculation: the reference first, then in order of speed."""
    reference_kv = next((r.candidate.kv for r in own if r.is_baseline), None)
    for spec in dict.fromkeys(r.candidate.spec for r in own):
        same = [r for r in own if r.candidate.spec == spec]
        bests = [best for kv in _pairs(same) if (best := fastest(_with(same, kv))) is not None]
        reference = next((r for r in bests if r.candidate.kv == reference_kv), None)
        for record in sorted(bests, key=lambda r: (r is not reference, -(r.value("tok_s") or 0))):
            yield (
                short_name(record.candidate.model),
                record.candidate.kv,
                drafting(record.candidate),
                *(number_of(record, metric) for metric in metrics),
                against(record, reference, comparer),
            )


def _with(records: Sequence[Measured], kv: str) -> list[Measured]:
    return [record for record in records if record.candidate.kv == kv]


def _pairs(records: Sequence[Measured]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(record.candidate.kv for record in records))


SECTION = KvTypes()
