"""The desk of a rig, or of equal rigs: a study, its open trials, and the next job for each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from orchestrator.sweeping.backstop import Backstop
from orchestrator.sweeping.goals import Group
from orchestrator.sweeping.ledger import Ledger
from orchestrator.sweeping.resolve import Resolver
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.search import Search
from orchestrator.sweeping.seat import Seat
from orchestrator.sweeping.trial import Launch, OpenTrial, Standing
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.walk import baseline_of
from workers.contract.job import Point
from workers.contract.reports import RigReport


@dataclass
class Desk:
    """Everything the driver keeps for one class of rigs; most have one member, at one seat.

    `budget` counts trials still to be asked for; `known` holds the launches that are measured, by
    key, so that none is measured under two names; `points` are those to beat, by front: none of
    them beats another.
    """

    ground: Ground
    search: Search
    resolver: Resolver
    budget: int
    seats: tuple[Seat, ...]
    open: list[OpenTrial] = field(default_factory=list)
    known: dict[str, Launch] = field(default_factory=dict)
    baselines: dict[Candidate, Standing] = field(default_factory=dict)
    points: dict[Group, list[Point]] = field(default_factory=lambda: defaultdict(list))
    backstop: Backstop = field(default_factory=Backstop)
    exhausted: bool = False

    @property
    def rig(self) -> RigReport:
        """The first rig of the class: its name is the class's."""
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

    def add_point(self, group: Group, point: Point) -> None:
        """Takes in a point to beat, and drops those that it makes superfluous."""
        points = self.points[group]
        if not any(one.tok_s >= point.tok_s and one.loss <= point.loss for one in points):
            points[:] = [p for p in points if p.tok_s > point.tok_s or p.loss < point.loss]
            points.append(point)

    def baseline_of(self, candidate: Candidate) -> Standing | None:
        """How the candidate's baseline stands here; None when there is none on this rig."""
        return self.baselines.get(baseline_of(self.ground.space, candidate).canonical())

    def next_work(self, ledger: Ledger, seat: Seat) -> tuple[OpenTrial, dict[Facet, str]] | None:
        """The next facets to measure at a seat: texts first, so that speed knows what it must beat.

        A text facet that another trial already waits for is left to that one's job; what the rig
        has lost is its twin's to try again.
        """
        twin = any(other.able for other in self.seats if other is not seat)
        for trial in self.waiting_for(seat):
            for group in (trial.text_keys, trial.rig_keys, trial.ceiling_keys):
                keys = ledger.open(group.values(), self.places)
                if twin and not trial.is_anchor:
                    keys = [key for key in keys if ledger.lost.get(key) != seat.name]
                if keys:
                    return trial, _subset(group, keys)
        return None

    def waiting_for(self, seat: Seat) -> list[OpenTrial]:
        """The open trials that no rig works on, without anchors of other rigs."""
        return [
            trial
            for trial in self.open
            if trial.at is None and (not trial.is_anchor or trial.rig == seat.name)
        ]


def _subset(group: Mapping[Facet, str], keys: Iterable[str]) -> dict[Facet, str]:
    wanted = set(keys)
    return {facet: key for facet, key in group.items() if key in wanted}
