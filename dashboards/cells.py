"""Numbers in tables: the value as people compare it, and half its interval in small print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from orchestrator.analysis.words import number, unit

if TYPE_CHECKING:
    from dash.development.base_component import Component

HEADS = {
    "tok_s": "generation",
    "speedup": "speed-up",
    "acceptance": "accepted",
    "ppl": "perplexity",
    "ppl_delta_pct": "change",
    "kld_mean": "KLD",
    "mem_peak_mib": "peak memory",
    "prompt_tok_s": "prompt",
    "ttft_ms": "first token",
    "e2e_tok_s": "whole request",
    "ctx": "context",
}


def head(metric: str) -> list[Component | str]:
    """The metric and its unit over a column."""
    from dash import html

    mark = unit(metric) if metric != "acceptance" else "%"
    name = HEADS.get(metric, metric)
    return [f"{name} ", html.Small(mark)] if mark not in ("", "×") else [name]


def cell(row: Mapping[Any, Any], metric: str) -> list[Component | str]:
    """A row's value with half its interval; a dash where it is not known."""
    from dash import html

    value = row.get(metric)
    if value is None or value != value:
        return ["–"]
    if metric == "acceptance":
        return [f"{100 * value:.0f}"]
    text = number(metric, value) + ("×" if metric == "speedup" else "")
    half = _half(row, metric)
    return [text, html.Small(f" ±{number(metric, half).lstrip('+')}")] if half else [text]


def _half(row: Mapping[Any, Any], metric: str) -> float | None:
    """A perplexity's own interval is about the text, so only its change carries one."""
    low, high = row.get(f"{metric}_low"), row.get(f"{metric}_high")
    if metric == "ppl" or low is None or high is None or not high > low:
        return None
    return (high - low) / 2  # type: ignore[no-any-return]
