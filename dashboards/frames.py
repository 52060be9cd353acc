"""Records as a DataFrame: one row per candidate, the one input of every figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.analysis.front import Placed
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

    places = {place.record.trial_id: place for place in group.front.placed}
    picks: dict[int, list[str]] = {}
    for pick in group.picks:
        picks.setdefault(pick.record.trial_id, []).append(pick.title)
    measured = {name: None for record in group.records for name in record.estimates}
    metrics = tuple(dict.fromkeys((*group.front.objectives, *METRICS, "ctx", *measured)))
    rows = [
        _row(record, places.get(record.trial_id), namer or group.namer, metrics)
        | {"picks": tuple(picks.get(record.trial_id, ()))}
        for record in sorted(group.records, key=lambda record: record.trial_id)
    ]
    data = pd.DataFrame(rows)
    numbers = [name for metric in metrics for name in (metric, f"{metric}_low", f"{metric}_high")]
    # Missing numbers become NaN even where a whole column is missing.
    return data.astype(dict.fromkeys(numbers, float)) if rows else data


def _row(
    record: Measured, place: Placed | None, namer: Namer, metrics: tuple[str, ...]
) -> dict[str, Any]:
    c = record.candidate
    row: dict[str, Any] = {
        "trial_id": record.trial_id,
        "rig": record.rig,
        "engine": c.engine,
        "model_ref": c.model,
        "name": namer.name(c),
        "model": namer.model(c),
        "kv": c.kv,
        "kv_k": c.kv_k,
        "kv_v": c.kv_v,
        "ctx": c.ctx,
        "spec": c.spec,
        "n_max": c.n_max or 0,
        "drafts": c.drafts,
        "state": str(record.state),
        "level": str(place.level) if place else "",
        "baseline": record.is_baseline,
    }
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
