"""Acceptance by position: of the drafts made, how many had their n-th token accepted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workers.contract.outcome import Estimate, Sample
from workers.statistics.launches import by_launch
from workers.statistics.rate import of_launches
from workers.statistics.ratios import Ratio

_NAME = "accepted_at_"


def by_position(samples: Sequence[Sample]) -> tuple[Estimate, ...]:
    """The share of drafts accepted at each position, from the first; empty where not told.

    A draft that is shorter than the position counts as not accepted there.
    """
    told = [sample for sample in samples if "drafts_n" in sample.values]
    names = {name for sample in told for name in sample.values if name.startswith(_NAME)}
    known = dict.fromkeys(names, 0.0)
    filled = [replace(sample, values=known | sample.values) for sample in told]
    shares = []
    for position in range(1, len(names) + 1):
        ratio = Ratio(f"acceptance_at_{position}", f"{_NAME}{position}", "drafts_n", relative=False)
        if (launches := by_launch(filled, ratio)) is not None:
            shares.append(of_launches(launches))
    return tuple(shares)
