"""One rig's desk: its study, its open trials, and the next job for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from orchestrator.sweeping.anchors import Anchors
from orchestrator.sweeping.backstop import Backstop
from orchestrator.sweeping.goals import Group
from orchestrator.sweeping.ledger import Ledger
from orchestrator.sweeping.quarantine import Watch
from orchestrator.sweeping.resolve import Resolver
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.search import Search
from orchestrator.sweeping.trial import Launch, OpenTrial, Standing
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.walk import baseline_of
from workers.contract.job import Point
from workers.contract.reports import RigReport


@dataclass
class Desk:
    """Everything the driver keeps for one rig.

    `budget` counts trials still to be asked for; `known` holds the launches that are measured, by
    key, so that none is measured under two names; `points` are those to beat, by front; `watch`
    knows whether the rig is left out.
    """

    ground: Ground
    search: Search
    resolver: Resolver
    budget: int
    watch: Watch
    open: list[OpenTrial] = field(default_factory=list)
    known: dict[str, Launch] = field(default_factory=dict)
    baselines: dict[Candidate, Standing] = field(default_factory=dict)
    points: dict[Group, list[Point]] = field(default_factory=lambda: defaultdict(list))
    backstop: Backstop = field(default_factory=Backstop)
    anchors: Anchors = field(default_factory=Anchors)
    exhausted: bool = False

    @property
    def rig(self) -> RigReport:
        """The rig."""
        return self.ground.rig

    @property
    def hardware(self) -> str:
        """Equal for rigs whose speeds can stand for one another."""
        return self.rig.hardware_key

    @property
    def places(self) -> tuple[str, str]:
        """Where a failure must have happened to count here."""
        return self.hardware, self.rig.name

    @property
    def may_ask(self) -> bool:
        """Whether the study may be asked for another candidate."""
        return self.budget > 0 and not self.exhausted

    def baseline_of(self, candidate: Candidate) -> Standing | None:
        """How the candidate's baseline stands here; None when there is none on this rig."""
        return self.baselines.get(baseline_of(self.ground.space, candidate).canonical())

    def next_work(self, ledger: Ledger) -> tuple[OpenTrial, dict[Facet, str]] | None:
        """The next facets to measure here: texts first, so that speed knows what it must beat.

        A text facet that another trial already waits for is left to that one's job.
        """
        for trial in self.open:
            for group in (trial.text_keys, trial.rig_keys):
                wanted = _subset(group, ledger.open(group.values(), self.places))
                if wanted:
                    return trial, wanted
        return None


def _subset(group: Mapping[Facet, str], keys: Iterable[str]) -> dict[Facet, str]:
    wanted = set(keys)
    return {facet: key for facet, key in group.items() if key in wanted}
