"""The front: candidates that nothing on it significantly dominates; ties shown as ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.dominance import Objectives, dominates, indistinguishable, standing
from orchestrator.analysis.feasible import comparable
from orchestrator.analysis.objectives import oriented
from orchestrator.analysis.records import Measured
from search_spaces.metrics import Direction


class Level(StrEnum):
    """FRONT: no estimate beats it. TIED: some do, but not significantly. DOMINATED: beaten."""

    FRONT = "front"
    TIED = "tied"
    DOMINATED = "dominated"


@dataclass(frozen=True, slots=True)
class Placed:
    """One candidate's place. `dominated_by` and `ties` are trial ids of members of the front."""

    record: Measured
    level: Level
    dominated_by: int | None = None
    ties: tuple[int, ...] = ()

    @property
    def is_member(self) -> bool:
        """True for FRONT and TIED."""
        return self.level is not Level.DOMINATED


@dataclass(frozen=True, slots=True)
class Front:
    """Every candidate placed, best of the first objective first.

    `groups` are the members in sets of mutually indistinguishable ones, each best first; a
    member that is distinguishable from all others is a group of one.
    """

    objectives: Mapping[str, Direction]
    placed: tuple[Placed, ...]
    groups: tuple[tuple[int, ...], ...]

    @property
    def members(self) -> tuple[Measured, ...]:
        """The records on the front, ties included."""
        return tuple(place.record for place in self.placed if place.is_member)

    @property
    def leaders(self) -> tuple[Measured, ...]:
        """The members that no estimate beats: the line of the figure."""
        return tuple(place.record for place in self.placed if place.level is Level.FRONT)

    def place(self, trial_id: int) -> Placed | None:
        """The place of a trial, None when it does not take part."""
        return next((p for p in self.placed if p.record.trial_id == trial_id), None)


def front_of(
    records: Sequence[Measured], objectives: Objectives, comparer: Comparer | None = None
) -> Front:
    """The front of the comparable records (of one rig), for any number of objectives.

    Members are the one set in which nobody dominates anybody, and from which everybody outside
    is dominated (the kernel of `dominates`, which has no circles). So the order of the records
    does not matter, and adding a dominated candidate changes nothing.
    """
    comparer = comparer or Comparer(records)
    able = [record for record in records if comparable(record, objectives)]
    # A dominating candidate always stands higher, so one pass from the top settles everything.
    able.sort(key=lambda r: (standing(r, objectives), -r.trial_id), reverse=True)
    members: list[Measured] = []
    dominator: dict[int, int] = {}
    for record in able:
        over = next((m for m in members if dominates(m, record, objectives, comparer)), None)
        if over is None:
            members.append(record)
        else:
            dominator[record.trial_id] = over.trial_id
    able.sort(key=lambda r: (_losses(r, objectives), r.trial_id))
    members.sort(key=lambda r: (_losses(r, objectives), r.trial_id))
    ties = {
        a.trial_id: tuple(
            b.trial_id
            for b in members
            if b is not a and indistinguishable(a, b, objectives, comparer)
        )
        for a in members
    }
    placed = tuple(
        Placed(record, Level.DOMINATED, dominator[record.trial_id])
        if record.trial_id in dominator
        else Placed(record, _level(record, members, objectives), None, ties[record.trial_id])
        for record in able
    )
    return Front(objectives, placed, _groups(members, ties))


def _losses(record: Measured, objectives: Objectives) -> tuple[float, ...]:
    """The objectives with "less is better"."""
    return tuple(
        -oriented(record.value(metric) or 0.0, direction)
        for metric, direction in objectives.items()
    )


def _level(record: Measured, members: list[Measured], objectives: Objectives) -> Level:
    mine = _losses(record, objectives)
    for other in members:
        theirs = _losses(other, objectives)
        if theirs != mine and all(t <= m for t, m in zip(theirs, mine, strict=True)):
            return Level.TIED
    return Level.FRONT


def _groups(
    members: list[Measured], ties: dict[int, tuple[int, ...]]
) -> tuple[tuple[int, ...], ...]:
    groups: list[list[int]] = []
    for record in members:
        mine = set(ties[record.trial_id])
        home = next((group for group in groups if mine.issuperset(group)), None)
        if home is None:
            groups.append([record.trial_id])
        else:
            home.append(record.trial_id)
    return tuple(map(tuple, groups))
