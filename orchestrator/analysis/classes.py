"""Results per prompt class: the same rules as for the pooled ones, over one class's prompts.

A suite's rate can hide that its classes disagree: a drafter guesses code far better than prose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from orchestrator.analysis.derive import derive
from orchestrator.analysis.records import Measured, State
from search_spaces.space import Space

NO_CLASS = "(no class)"
Classes = Mapping[str, Mapping[int, Measured]]


def by_class(records: Sequence[Measured], space: Space) -> Classes:
    """Class -> trial id -> the record with that class's numbers only; {} where all are of one.

    Each record keeps the throughput metrics, made anew from the class's requests (sum of tokens
    over sum of time, launch spread pooled over the rig), and the speed-up over its baseline,
    paired by the class's prompts. What belongs to no prompt (memory, perplexity) is left out.
    """
    names = sorted({sample.group for record in records for sample in record.throughput})
    if len(names) < 2:
        return {}
    return {name or NO_CLASS: _of_class(records, name, space) for name in names}


def _of_class(records: Sequence[Measured], name: str, space: Space) -> Mapping[int, Measured]:
    bare = [
        replace(record, throughput=samples, deep=(), chunks=(), divergence=(), estimates={})
        for record in records
        if record.state is State.COMPLETE
        and (samples := tuple(s for s in record.throughput if s.group == name))
    ]
    return {record.trial_id: record for record in derive(bare, space) if record.estimates}
