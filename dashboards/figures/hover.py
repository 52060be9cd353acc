"""What a pointer shows: the configuration in words, then its numbers."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import Any

from orchestrator.analysis.words import number, unit

LABELS: dict[str, str] = {
    "tok_s": "generation",
    "e2e_tok_s": "whole request",
    "speedup": "against the baseline",
    "acceptance": "accepted drafts",
    "prompt_tok_s": "prompt",
    "ttft_ms": "first token after",
    "ppl": "perplexity",
    "ppl_delta_pct": "perplexity change",
    "kld_mean": "KL divergence",
    "mem_peak_mib": "memory at its peak",
    "ctx": "context",
}
_PLACES = {
    "front": "on the front",
    "tied": "tied with the front: no difference shown",
    "dominated": "beaten by a candidate of the front",
}


def axis_title(metric: str) -> str:
    """The metric with its unit, for an axis."""
    mark = unit(metric)
    name = LABELS.get(metric, metric)
    return f"{name} ({mark})" if mark else name


def hover(row: Mapping[Any, Any], metrics: Iterable[str]) -> str:
    """One candidate for a tooltip. Everything from outside is escaped: Plotly reads tags."""
    lines = [f"<b>{'<br>'.join(html.escape(part) for part in str(row['name']).split(' · '))}</b>"]
    lines += [
        f"{LABELS.get(metric, metric)} {with_interval(row, metric)}"
        for metric in metrics
        if _known(row.get(metric))
    ]
    words = [_PLACES[row["level"]]] if row["level"] in _PLACES else []
    words += ["baseline"] if row["baseline"] else []
    return "<br>".join([*lines, *(f"<i>{word}</i>" for word in words)])


def with_interval(row: Mapping[Any, Any], metric: str) -> str:
    """A value with its unit and, where there is one, its interval."""
    mark = unit(metric)
    if metric == "acceptance":
        return f"{100 * row[metric]:.0f} %"
    text = number(metric, row[metric]) + (mark if mark == "×" else f" {mark}").rstrip()
    low, high = row.get(f"{metric}_low"), row.get(f"{metric}_high")
    if low is None or high is None or not (_known(low) and _known(high)) or low == high:
        return text
    return f"{text} ({number(metric, low)} to {number(metric, high)})"


def _known(value: Any) -> bool:
    return value is not None and value == value  # a missing number is NaN in a DataFrame
