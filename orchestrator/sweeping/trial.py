"""A trial while it is open, and what is kept of one for those that refer to it."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.sweeping.ledger import Fault
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from workers.contract.resolved import ResolvedCandidate


@dataclass(eq=False)
class OpenTrial:
    """A candidate that waits for some of its facets.

    `row` is its id in the database, `number` Optuna's (None: not part of the study). `memo` says
    which measurements it waits for; two trials may wait for the same one. `effective_key` is what
    its launch turned out to be, where that is not what was asked. An anchor is a baseline measured
    again: it teaches the study nothing. `rig` is the first of its class, or the one that an anchor
    is about; `at` is the rig that works on it now.
    """

    row: int
    number: int | None
    rig: str
    candidate: Candidate
    resolved: ResolvedCandidate
    memo: dict[Facet, str]
    is_baseline: bool = False
    effective_key: str | None = None
    is_anchor: bool = False
    at: str | None = None

    @property
    def key(self) -> str:
        """Two trials of a rig with one key are one launch."""
        return self.effective_key or self.resolved.key

    @property
    def text_keys(self) -> dict[Facet, str]:
        """Facets that any able rig may measure."""
        return {facet: key for facet, key in self.memo.items() if not facet.belongs_to_rig}

    @property
    def rig_keys(self) -> dict[Facet, str]:
        """Facets that only this trial's rig can measure; they run together in one job."""
        keys = self.memo.items()
        return {f: key for f, key in keys if f.belongs_to_rig and f is not Facet.CEILING}

    @property
    def ceiling_keys(self) -> dict[Facet, str]:
        """The ceiling, which takes jobs of its own at other contexts."""
        return {f: key for f, key in self.memo.items() if f is Facet.CEILING}


@dataclass(frozen=True, slots=True)
class Launch:
    """A launch whose speed is measured: the trial that did it, and where its numbers are."""

    row: int
    memo: dict[Facet, str]


@dataclass
class Standing:
    """How a baseline stands: where its numbers will be, and whether it ended, or why it failed."""

    row: int
    candidate: Candidate
    memo: dict[Facet, str]
    ended: bool = False
    fault: Fault | None = None
