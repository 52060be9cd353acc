"""Numbers that refer to a baseline: speed-up (paired by prompt), perplexity change (by chunk)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.pooling import spreads_by_rig, with_pooled_intervals
from orchestrator.analysis.records import Measured, State
from search_spaces.candidate import Candidate
from search_spaces.space import Space
from search_spaces.walk import baseline_of
from workers.contract.outcome import Estimate


def derive(records: Sequence[Measured], space: Space) -> tuple[Measured, ...]:
    """Every record with pooled intervals, its `baseline_id`, `speedup` and `ppl_delta_pct`.

    A record whose baseline was not measured on its rig keeps neither. The baseline itself has a
    speed-up of exactly 1 and a change of exactly 0.
    """
    pooled = with_pooled_intervals(records)
    baselines = _baselines(pooled, space)
    spreads = spreads_by_rig(pooled)
    comparers = {rig: Comparer(pooled, known) for rig, known in spreads.items()}
    return tuple(
        _against(record, baselines.get(_baseline_key(record, space)), comparers[record.rig])
        if record.state is State.COMPLETE
        else record
        for record in pooled
    )


def _baseline_key(record: Measured, space: Space) -> tuple[str, Candidate]:
    return record.rig, baseline_of(space, record.candidate).canonical()


def _baselines(records: Iterable[Measured], space: Space) -> dict[tuple[str, Candidate], Measured]:
    """The completed record of each baseline on each rig; of several, the most measured one."""
    found: dict[tuple[str, Candidate], list[Measured]] = defaultdict(list)
    for record in records:
        key = _baseline_key(record, space)
        if record.state is State.COMPLETE and record.candidate.canonical() == key[1]:
            found[key].append(record)
    return {
        key: max(same, key=lambda r: (len(r.throughput), -r.trial_id))
        for key, same in found.items()
    }


def _against(record: Measured, baseline: Measured | None, comparer: Comparer) -> Measured:
    if baseline is None:
        return record
    record = replace(record, baseline_id=baseline.trial_id)
    if record.candidate.canonical() == baseline.candidate.canonical():
        n = len(record.throughput)
        made = [Estimate("speedup", 1.0, 1.0, 1.0, n)] if "tok_s" in record.estimates else []
        if "ppl" in record.estimates:
            made.append(Estimate("ppl_delta_pct", 0.0, 0.0, 0.0, len(record.chunks)))
        return record.with_estimates(*made)
    made = []
    if {"tok_s"} <= record.estimates.keys() & baseline.estimates.keys():
        ratio = comparer.compare(record, baseline, "tok_s")
        n = len(record.throughput)
        made.append(Estimate("speedup", ratio.value, ratio.low, ratio.high, n))
    if {"ppl"} <= record.estimates.keys() & baseline.estimates.keys():
        change = comparer.compare(record, baseline, "ppl")
        n = len(record.chunks)
        made.append(Estimate("ppl_delta_pct", change.value, change.low, change.high, n))
    return record.with_estimates(*made)
