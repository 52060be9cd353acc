"""Numbers as text: the value, and its 95 % interval behind it."""

from __future__ import annotations

from orchestrator.analysis.report.document import Number
from orchestrator.analysis.words import number, unit
from search_spaces.candidate import Candidate
from workers.statistics.comparison import Comparison, Scale

UNKNOWN = "±?"


def shown(cell: Number) -> str:
    """For example "46.3 (45.9 to 46.8)", "1.19× (0.95 to 1.49)", "1.00× ±0", "210.0 ±?"."""
    mark = "×" if unit(cell.metric) == "×" else ""
    text = number(cell.metric, cell.value) + mark
    if cell.low is None or cell.high is None:
        return f"{text} {UNKNOWN}"
    if cell.low == cell.high:
        return f"{text} ±0"
    return f"{text} ({number(cell.metric, cell.low)} to {number(cell.metric, cell.high)})"


def interval(made: Comparison) -> str:
    """A comparison as text: a ratio as 1.14× (1.02 to 1.27), a change with sign and unit."""
    metric = {
        Scale.RATIO: "speedup",
        Scale.PERCENT: "ppl_delta_pct",
        Scale.DIFFERENCE: made.metric,
    }[made.scale]
    why = "" if made.low is not None and made.high is not None else "not repeated"
    text = shown(Number(metric, made.value, made.low, made.high, why=why))
    return f"{text} %" if made.scale is Scale.PERCENT else text


def drafting(candidate: Candidate) -> str:
    """For example "draft-dflash, n_max 3", or "none"."""
    length = f", n_max {candidate.n_max}" if candidate.n_max is not None else ""
    return candidate.spec + (length if candidate.drafts else "")
