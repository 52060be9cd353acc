"""A trial while it is open: a candidate that waits for some of its facets."""

from __future__ import annotations

from dataclasses import dataclass, field

from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from workers.contract.resolved import ResolvedCandidate


@dataclass
class OpenTrial:
    """`row` is its id in the database, `number` Optuna's (None: not part of a study).

    `memo` says which measurements it waits for; two trials may wait for the same one.
    """

    row: int
    number: int | None
    rig: str
    candidate: Candidate
    resolved: ResolvedCandidate
    memo: dict[Facet, str]
    is_baseline: bool = False
    attempts: int = 0
    began: float = field(default=0.0)

    @property
    def text_keys(self) -> dict[Facet, str]:
        """Facets that any able rig may measure."""
        return {facet: key for facet, key in self.memo.items() if not facet.belongs_to_rig}

    @property
    def rig_keys(self) -> dict[Facet, str]:
        """Facets that only this trial's rig can measure; they run together in one job."""
        return {facet: key for facet, key in self.memo.items() if facet.belongs_to_rig}
