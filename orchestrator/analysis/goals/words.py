"""Recommendations in words: the pick with its numbers, why, who comes next and how surely."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.analysis.goals.base import Absent, Pick
from orchestrator.analysis.records import Measured
from orchestrator.analysis.truth import NO_DIFFERENCE
from orchestrator.analysis.words import Namer, number, quantity, unit
from workers.statistics.comparison import Comparison, Scale, Verdict

_ALWAYS = ("tok_s", "ppl", "ppl_delta_pct", "kld_mean", "joules_per_token", "mem_peak_mib")
_NAMES = {"ppl": "perplexity", "ppl_delta_pct": "perplexity change", "kld_mean": "KLD"}


def told(answer: Pick | Absent, namer: Namer) -> Iterator[str]:
    """The lines of an answer, its title first."""
    if isinstance(answer, Absent):
        yield f"{answer.title}: {answer.reason}."
        return
    yield f"{answer.title}: {namer.name(answer.record.candidate)}"
    yield f"{numbers(answer.record, answer.about)}."
    yield f"Why: {answer.why}."
    if answer.runner_up is None:
        yield "Next: there is no other."
        return
    yield f"Next: {namer.name(answer.runner_up.candidate)}: {', '.join(_differences(answer))}."


def numbers(record: Measured, about: tuple[str, ...]) -> str:
    """What was measured of a candidate, with intervals; what the goal is about first."""
    metrics = [m for m in dict.fromkeys((*about, *_ALWAYS)) if m in record.estimates]
    if record.is_baseline:
        metrics = [metric for metric in metrics if metric != "ppl_delta_pct"]
    # A perplexity's own interval is about the text, not about the difference people look for.
    parts = [
        f"{_prefix(metric)}{quantity(record.estimates[metric], interval=metric != 'ppl')}"
        for metric in metrics
    ]
    return ", ".join([*parts, f"ctx {record.candidate.ctx:,}"])


def _prefix(metric: str) -> str:
    return f"{_NAMES[metric]} " if metric in _NAMES else ""


def _differences(pick: Pick) -> Iterator[str]:
    """How the pick stands against the runner-up, what the goal is about first."""
    for made in pick.against:
        yield f"{made.metric} {difference(made)}"


def difference(made: Comparison) -> str:
    """For example "1.33× (1.20 to 1.48)", or "1.02× (0.97 to 1.07), no difference shown"."""
    text = _read(made, made.value)
    if made.low is not None and made.high is not None and made.low < made.high:
        text += f" ({_read(made, made.low)} to {_read(made, made.high)})"
    if made.verdict is Verdict.TIE:
        text += f" [{NO_DIFFERENCE}{f': {made.note}' if made.note else ''}]"
    return text


def _read(made: Comparison, value: float) -> str:
    if made.scale is Scale.RATIO:
        return f"{value:.2f}×"
    metric = "ppl_delta_pct" if made.scale is Scale.PERCENT else made.metric
    return f"{number(metric, value, signed=True)} {unit(metric)}".rstrip()
