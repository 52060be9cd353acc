"""What a user will not go below or above: limits on candidates, each a sentence and a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from orchestrator.analysis.quantities import percent, size_mib, tokens
from orchestrator.analysis.records import Measured


@dataclass(frozen=True)
class Limit:
    """`option` is what the user typed. `holds` is False also where what it needs is unknown."""

    option: str
    holds: Callable[[Measured], bool]


def vram_headroom(text: str) -> Limit:
    """At least this much of the rig's memory stays free at the peak. Raises QuantityError."""
    wanted = size_mib(text)

    def holds(record: Measured) -> bool:
        peak, rig = record.value("mem_peak_mib"), record.hardware
        return peak is not None and rig is not None and rig.vram_mib - peak >= wanted

    return Limit(f"--vram-headroom {text}", holds)


def min_ctx(text: str) -> Limit:
    """The context capacity is at least this many tokens. Raises QuantityError."""
    wanted = tokens(text)
    return Limit(f"--min-ctx {text}", lambda record: record.candidate.ctx >= wanted)


def max_ppl_delta(text: str) -> Limit:
    """Perplexity rises by at most this against the baseline. Raises QuantityError."""
    wanted = percent(text)

    def holds(record: Measured) -> bool:
        change = record.value("ppl_delta_pct")
        return change is not None and change <= wanted

    return Limit(f"--max-ppl-delta {text}", holds)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """How many candidates one limit excludes, and how many it alone excludes."""

    option: str
    excluded: int
    alone: int


def within(
    records: Sequence[Measured], limits: Sequence[Limit]
) -> tuple[tuple[Measured, ...], tuple[Exclusion, ...]]:
    """The records that every limit holds for, and what each limit excludes, the most first."""
    broken = {
        record.trial_id: [limit.option for limit in limits if not limit.holds(record)]
        for record in records
    }
    exclusions = [
        Exclusion(
            limit.option,
            sum(limit.option in options for options in broken.values()),
            sum(options == [limit.option] for options in broken.values()),
        )
        for limit in limits
    ]
    exclusions.sort(key=lambda one: (-one.excluded, -one.alone))
    kept = tuple(record for record in records if not broken[record.trial_id])
    return kept, tuple(exclusions)
