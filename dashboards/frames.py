"""Records as a DataFrame: one row per candidate, the one input of every figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from orchestrator.analysis.records import Measured
from orchestrator.analysis.summary import GroupSummary
from orchestrator.analysis.words import Namer
from workers.contract.outcome import Estimate

if TYPE_CHECKING:
    from pandas import DataFrame

METRICS = (
    "tok_s",
    "speedup",
    "acceptance",
    "prompt_tok_s",
    "ttft_ms",
    "ppl",
    "ppl_delta_pct",
    "kld_mean",
    "mem_peak_mib",
)


def frame(group: GroupSummary, namer: Namer | None = None) -> DataFrame:
    """One row per record of the group, whatever its state, in order of trial id.

    Columns: trial_id, rig, engine, name (what differs), model_ref, model (short), kv, kv_k, kv_v,
    ctx, spec, n_max (0 without speculation), drafts, state, level (front, tied, dominated, or ""
    for those that take no part), baseline, picks (titles), and for each metric its value,
    METRIC_low and METRIC_high.
    The interval of `ppl` is that of its change to the baseline: paired by chunk, what the text
    contributes cancels.
    """
    import pandas as pd

    places = {place.record.trial_id: str(place.level) for place in group.front.placed}
    picks: dict[int, list[str]] = {}
    for pick in group.picks:
        picks.setdefault(pick.record.trial_id, []).append(pick.title)
    ordered = sorted(group.records, key=lambda record: record.trial_id)
    metrics = _metrics(ordered, group.front.objectives)
    made = [
        _row(record, namer or group.namer, metrics)
        | {"level": places.get(record.trial_id, "")}
        | {"picks": tuple(picks.get(record.trial_id, ()))}
        for record in ordered
    ]
    return _numeric(pd.DataFrame(made), metrics)


def outlines(records: Sequence[Measured], namer: Namer, objectives: Iterable[str]) -> DataFrame:
    """The same columns for very many records, column by column; no level and nobody picked.

    A perplexity has no interval here: that of its change needs samples.
    """
    import pandas as pd

    metrics = _metrics(records, objectives)
    made = {name: [read(r, namer) for r in records] for name, read in _SETTINGS.items()}
    made |= {"level": [""] * len(records), "picks": [()] * len(records)}
    for metric in metrics:
        found = [record.estimates.get(metric) for record in records]
        bounds = [None if metric == "ppl" else estimate for estimate in found]
        made[metric] = [record.value(metric) for record in records]
        made[f"{metric}_low"] = [e.low if e else None for e in bounds]
        made[f"{metric}_high"] = [e.high if e else None for e in bounds]
    return _numeric(pd.DataFrame(made), metrics)


def _metrics(records: Iterable[Measured], objectives: Iterable[str]) -> tuple[str, ...]:
    measured = {name: None for record in records for name in record.estimates}
    return tuple(dict.fromkeys((*objectives, *METRICS, "ctx", *measured)))


def _numeric(data: DataFrame, metrics: Iterable[str]) -> DataFrame:
    """Missing numbers become NaN even where a whole column is missing."""
    numbers = [name for metric in metrics for name in (metric, f"{metric}_low", f"{metric}_high")]
    return data.astype(dict.fromkeys(numbers, float)) if len(data) else data


_SETTINGS: dict[str, Callable[[Measured, Namer], Any]] = {
    "trial_id": lambda r, _: r.trial_id,
    "rig": lambda r, _: r.rig,
    "engine": lambda r, _: r.candidate.engine,
    "model_ref": lambda r, _: r.candidate.model,
    "name": lambda r, namer: namer.name(r.candidate),
    "model": lambda r, namer: namer.model(r.candidate),
    "kv": lambda r, _: r.candidate.kv,
    "kv_k": lambda r, _: r.candidate.kv_k,
    "kv_v": lambda r, _: r.candidate.kv_v,
    "ctx": lambda r, _: r.candidate.ctx,
    "spec": lambda r, _: r.candidate.spec,
    "n_max": lambda r, _: r.candidate.n_max or 0,
    "drafts": lambda r, _: r.candidate.drafts,
    "state": lambda r, _: str(r.state),
    "baseline": lambda r, _: r.is_baseline,
}


def _row(record: Measured, namer: Namer, metrics: tuple[str, ...]) -> dict[str, Any]:
    row = {name: read(record, namer) for name, read in _SETTINGS.items()}
    for metric in metrics:
        found = _shown(record, metric)
        row[metric] = record.value(metric)
        row[f"{metric}_low"] = found.low if found else None
        row[f"{metric}_high"] = found.high if found else None
    return row


def _shown(record: Measured, metric: str) -> Estimate | None:
    """The estimate whose interval a figure shows."""
    found = record.estimates.get(metric)
    change = record.estimates.get("ppl_delta_pct")
    if metric != "ppl" or found is None:
        return found
    if change is None or change.low is None or change.high is None:
        return Estimate("ppl", found.value)
    base = found.value / (1 + change.value / 100)
    low, high = (base * (1 + bound / 100) for bound in (change.low, change.high))
    return Estimate("ppl", found.value, low, high, found.n)
