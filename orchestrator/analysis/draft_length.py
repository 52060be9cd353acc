"""How long a draft pays: the smallest n_max that is as fast as the fastest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.records import Measured, State
from search_spaces.candidate import Candidate
from workers.statistics.comparison import Verdict

TOLERANCE = 0.02


@dataclass(frozen=True, slots=True)
class DraftLength:
    """One family: candidates that differ in n_max only. `fastest` may be a longer draft."""

    smallest: Measured
    fastest: Measured
    lengths: tuple[int, ...]


def families(records: Iterable[Measured]) -> dict[Candidate, tuple[Measured, ...]]:
    """Complete drafting records by what they share beside n_max, shortest draft first."""
    found: dict[Candidate, list[Measured]] = defaultdict(list)
    for record in records:
        candidate = record.candidate
        known = record.state is State.COMPLETE and record.value("tok_s") is not None
        if known and candidate.drafts and candidate.n_max is not None:
            found[replace(candidate, n_max=None)].append(record)
    return {
        shared: tuple(sorted(same, key=lambda r: (r.candidate.n_max or 0, r.trial_id)))
        for shared, same in found.items()
    }


def smallest_lengths(
    records: Iterable[Measured], comparer: Comparer, tolerance: float = TOLERANCE
) -> tuple[DraftLength, ...]:
    """Per family, the smallest n_max within `tolerance` of the fastest and not shown slower.

    A shorter draft needs less memory and loses less when acceptance drops, so of equals the
    shortest is recommended. Fastest family first.
    """
    found = []
    for same in families(records).values():
        fastest = max(same, key=lambda r: r.value("tok_s") or 0.0)
        best = fastest.value("tok_s") or 0.0
        smallest = next(
            r
            for r in same
            if r is fastest
            or (
                (r.value("tok_s") or 0.0) >= best * (1 - tolerance)
                and comparer.compare(r, fastest, "tok_s").verdict is not Verdict.WORSE
            )
        )
        lengths = tuple(sorted({r.candidate.n_max or 0 for r in same}))
        found.append(DraftLength(smallest, fastest, lengths))
    return tuple(sorted(found, key=lambda d: -(d.fastest.value("tok_s") or 0.0)))
