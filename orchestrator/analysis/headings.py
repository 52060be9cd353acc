"""What stands above a column of numbers, on the terminal and in reports."""

from __future__ import annotations

from orchestrator.analysis.words import unit

_HEADINGS = {
    "tok_s": "tok/s",
    "e2e_tok_s": "end-to-end tok/s",
    "prompt_tok_s": "prompt tok/s",
    "ttft_ms": "first token ms",
    "speedup": "speed-up",
    "acceptance": "accepted",
    "accepted_len": "tokens a draft",
    "tok_s_deep": "tok/s at depth",
    "prompt_tok_s_deep": "prompt tok/s at depth",
    "ttft_deep_ms": "first token ms at depth",
    "depth_max": "tokens filled",
    "ctx_max": "longest ctx",
    "joules_per_token": "J/token",
    "power_w": "W",
    "ppl": "PPL",
    "ppl_delta_pct": "ΔPPL %",
    "kld_mean": "KLD",
    "kld_p999": "KLD 99.9 %",
    "same_top_pct": "same top token %",
    "quality_score": "quality 0–3",
    "mem_loaded_mib": "loaded MiB",
    "mem_peak_mib": "peak MiB",
    "mem_predicted_mib": "predicted MiB",
}


def heading(metric: str) -> str:
    """The metric as a column's name; one without a name of its own is called what it is."""
    if metric in _HEADINGS:
        return _HEADINGS[metric]
    mark = unit(metric)
    return metric.replace("_", " ") + (f" ({mark})" if mark not in ("", "×", "tokens") else "")
