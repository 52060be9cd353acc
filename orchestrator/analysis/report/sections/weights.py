"""Weight quants beside each other: speed without and with a draft, and what the text loses."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.base import NothingToShow
from orchestrator.analysis.report.document import Block, Cell, Column, Number, Table, Text
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.numbers import number_of, of_comparison
from orchestrator.analysis.report.selection import complete, fastest
from orchestrator.analysis.report.verdicts import quality_word
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.words import Namer, short_name
from workers.contract.reports import ModelReport

_COLUMNS = (
    Column("model", "model"),
    Column("size_mib", "file MiB"),
    Column("tok_s_baseline", "baseline tok/s"),
    Column("tok_s", "best tok/s"),
    Column("best", "best with"),
    Column("speedup", "speed-up"),
    Column("ppl", "PPL"),
    Column("ppl_to_finest_pct", "PPL over the finest %"),
    Column("verdict", "text quality"),
)


class Weights:
    """One row for each model file: its baseline, its fastest candidate, its perplexity."""

    name = "weights"
    title = "Weight quants"
    order = 50

    def build(self, facts: Facts) -> tuple[Block, ...]:
        """A table for each front that has more than one model."""
        models = {m.reference: m for host in facts.hosts for m in host.models}
        tables = [
            Table(group.title, _COLUMNS, _rows(group, facts.comparers[group.key.rig], models))
            for group in facts.groups
            if len({record.candidate.model for record in complete(group)}) > 1
        ]
        if not tables:
            raise NothingToShow("only one model was measured")
        note = (
            "Speed-ups are over each model's own baseline. Perplexities are the baselines' and "
            "are compared, paired by chunk, with the lowest of the same vocabulary."
        )
        return (*tables, Text(note))


def _rows(
    group: GroupSummary, comparer: Comparer, models: dict[str, ModelReport]
) -> tuple[tuple[Cell, ...], ...]:
    records = complete(group)
    settings = Namer(tuple(part for part in group.namer.parts if part != "model"))
    names = dict.fromkeys(record.candidate.model for record in records)
    bases = {name: _baseline([r for r in records if r.candidate.model == name]) for name in names}
    rows = []
    for name, base in bases.items():
        peers = [b for other, b in bases.items() if b and _same_text(models, name, other)]
        best = fastest(r for r in records if r.candidate.model == name)
        rows.append(
            (*_speed(base, best, models.get(name), settings), *_quality(base, peers, comparer))
        )
    return tuple(rows)


def _baseline(own: Sequence[Measured]) -> Measured | None:
    return next((record for record in own if record.is_baseline), None)


def _same_text(models: dict[str, ModelReport], a: str, b: str) -> bool:
    """Whether two models cut a text into the same tokens, as far as their files tell."""
    hashes = [m.header.get("vocab_hash") for name in (a, b) if (m := models.get(name))]
    return a == b or (len(hashes) == 2 and hashes[0] == hashes[1] and hashes[0] is not None)


def _speed(
    base: Measured | None, best: Measured | None, model: ModelReport | None, settings: Namer
) -> tuple[Cell, ...]:
    known = best or base
    return (
        short_name(known.candidate.model) if known else None,
        f"{model.size / 2**20:,.0f}" if model and model.size else None,
        number_of(base, "tok_s") if base else None,
        number_of(best, "tok_s") if best else None,
        settings.name(best.candidate) if best else None,
        number_of(best, "speedup") if best else None,
    )


def _quality(
    base: Measured | None, peers: Sequence[Measured], comparer: Comparer
) -> tuple[Cell, ...]:
    if base is None or (ppl := number_of(base, "ppl")) is None:
        return (None, None, "not measured")
    finest = min(
        (peer for peer in peers if peer.value("ppl") is not None),
        key=lambda peer: peer.value("ppl") or 0.0,
    )
    if finest is base:
        return (ppl, Number("ppl_delta_pct", 0.0, 0.0, 0.0), "finest")
    made = comparer.compare(base, finest, "ppl")
    return (ppl, of_comparison("ppl_delta_pct", made), quality_word(made))


SECTION = Weights()
