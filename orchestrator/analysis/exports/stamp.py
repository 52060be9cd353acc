"""The lines that say where exported settings come from."""

from __future__ import annotations

from collections.abc import Sequence

from db.states import ClaimVerdict
from orchestrator.analysis.exports.base import ExportRequest
from orchestrator.analysis.records import Measured
from orchestrator.analysis.words import quantity
from workers.statistics.flags import describe

_METRICS: dict[str, str] = {
    "tok_s": "generation",
    "speedup": "against the baseline",
    "prompt_tok_s": "prompt",
    "acceptance": "accepted drafts",
    "ppl": "perplexity",
    "ppl_delta_pct": "perplexity change",
    "kld_mean": "KL divergence",
    "mem_peak_mib": "memory at its peak",
}
NOT_VERIFIED = "not verified: measured in the sweep, not confirmed by a second, fresh measurement"


def stamp(request: ExportRequest) -> tuple[str, ...]:
    """What, where, with which engine, how fast and how good, and what to be careful about.

    Every entry is one line without control characters: a name from outside cannot end a comment.
    """
    record = request.record
    lines = [
        request.title,
        f"measured on {record.rig} with {record.engine_label or 'unnamed engine'}",
    ]
    lines += [
        # A perplexity's own interval is about the text; the change carries the one that counts.
        f"{words}: {quantity(record.estimates[metric], interval=metric != 'ppl')}"
        for metric, words in _METRICS.items()
        if metric in record.estimates
    ]
    lines += [f"note: {describe(flag)}" for flag in record.flags]
    lines += [f"fingerprint: {request.fingerprint}"] if request.fingerprint else []
    lines.append(_verification(record))
    return tuple(map(one_line, lines))


def _verification(record: Measured) -> str:
    """What a second, fresh measurement said: the figures, or the claims that did not survive."""
    found = record.verification
    if found is None:
        return "verified by a second, fresh measurement" if record.verified else NOT_VERIFIED
    date = f"{found.at:%Y-%m-%d}"
    if found.survived:
        return f"verified {date}: {'; '.join(claim.sentence for claim in found.claims)}"
    refuted = [c for c in found.claims if c.verdict is ClaimVerdict.REFUTED]
    open_ones = [c for c in found.claims if c.verdict is ClaimVerdict.UNDECIDED]
    how = "verification failed" if refuted else "not confirmed"
    return f"{how} {date}: {'; '.join(claim.sentence for claim in refuted or open_ones)}"


def one_line(text: str) -> str:
    """The text without anything that could end a line or steer a terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def comments(lines: Sequence[str], mark: str = "#") -> str:
    """The lines as comments."""
    return "\n".join(f"{mark} {line}" for line in lines)
