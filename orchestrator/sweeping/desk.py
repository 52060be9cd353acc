"""One rig's desk: its study, its open trials, and the next job for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from orchestrator.sweeping.ledger import Ledger
from orchestrator.sweeping.resolve import Resolver
from orchestrator.sweeping.search import Search
from orchestrator.sweeping.trial import OpenTrial
from search_spaces.metrics import Facet
from workers.contract.job import Point
from workers.contract.reports import RigReport


@dataclass
class Desk:
    """Everything the driver keeps for one rig.

    `budget` counts trials still to be asked for; `known` maps resolved keys of completed trials
    to their rows, so that one launch is never measured under two names.
    """

    rig: RigReport
    search: Search
    resolver: Resolver
    budget: int
    open: list[OpenTrial] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    points: list[Point] = field(default_factory=list)
    exhausted: bool = False

    @property
    def may_ask(self) -> bool:
        """Whether the study may be asked for another candidate."""
        return self.budget > 0 and not self.exhausted

    def next_work(self, ledger: Ledger) -> tuple[OpenTrial, dict[Facet, str]] | None:
        """The next facets to measure here: texts first, so that speed knows what it must beat.

        A text facet that another trial already waits for is left to that one's job.
        """
        for trial in self.open:
            for group in (trial.text_keys, trial.rig_keys):
                wanted = _subset(group, ledger.open(group.values()))
                if wanted:
                    return trial, wanted
        return None


def _subset(group: Mapping[Facet, str], keys: Iterable[str]) -> dict[Facet, str]:
    wanted = set(keys)
    return {facet: key for facet, key in group.items() if key in wanted}
