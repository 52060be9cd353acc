"""Comparisons in the words of a report: one word, and "no difference shown" for a tie."""

from __future__ import annotations

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.records import Measured
from orchestrator.analysis.truth import NO_DIFFERENCE
from workers.statistics.comparison import Comparison, Verdict

_SPEED = {Verdict.BETTER: "faster", Verdict.WORSE: "slower", Verdict.TIE: NO_DIFFERENCE}
_QUALITY = {Verdict.BETTER: "better", Verdict.WORSE: "worse", Verdict.TIE: NO_DIFFERENCE}
_QUALITY_METRICS = ("ppl", "kld_mean")


def speed_word(made: Comparison) -> str:
    """faster, slower, or no difference shown."""
    return _SPEED[made.verdict]


def quality_word(made: Comparison) -> str:
    """better, worse, or no difference shown."""
    return _QUALITY[made.verdict]


def against(record: Measured, other: Measured | None, comparer: Comparer) -> str:
    """What a candidate changes in speed and in text quality, beside another one."""
    if other is None:
        return "its reference was not measured"
    if record.trial_id == other.trial_id:
        return "reference"
    parts = []
    if _both(record, other, "tok_s"):
        parts.append(f"speed: {speed_word(comparer.compare(record, other, 'tok_s'))}")
    quality = next((m for m in _QUALITY_METRICS if _both(record, other, m)), None)
    if quality is not None:
        parts.append(f"quality: {quality_word(comparer.compare(record, other, quality))}")
    if len(parts) == 2 and all(part.endswith(NO_DIFFERENCE) for part in parts):
        return NO_DIFFERENCE
    return ", ".join(parts)


def _both(a: Measured, b: Measured, metric: str) -> bool:
    return a.value(metric) is not None and b.value(metric) is not None
