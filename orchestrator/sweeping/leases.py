"""Who may start a job now: cards are used by one engine at a time, and nobody is starved.

Rigs may share a card (alone, and in a pair). A job that cannot start takes a number; from then
on no job that came later may take what it waits for. So a pair of cards waits for at most one
job of each rig that it shares with, and singles wait for the pair in turn.

Cores are shared by jobs that need them quiet (speed on a card), and taken alone by jobs that keep
them busy (whatever a CPU rig does), so that neither disturbs the other. A perplexity on a card
needs no core to itself, and disturbs no other card.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from search_spaces.metrics import Facet
from workers.contract.reports import RigReport


@dataclass(frozen=True, slots=True)
class Need:
    """Places that a job takes alone, and places that it shares with others who only share."""

    alone: frozenset[str]
    shared: frozenset[str] = frozenset()

    def conflicts(self, other: Need) -> bool:
        """Whether the two may not run at the same time."""
        return bool(
            self.alone & (other.alone | other.shared) or other.alone & (self.alone | self.shared)
        )


def need_of(rig: RigReport, facets: Iterable[Facet]) -> Need:
    """What a job with these facets takes on a rig."""
    cores = frozenset({f"cores:{rig.cores_of}"})
    if not rig.cards:
        return Need(cores)
    cards = frozenset(f"gpu:{card.uuid}" for card in rig.cards)
    return Need(cards, cores if any(f.belongs_to_rig for f in facets) else frozenset())


@dataclass
class Leases:
    """By rig: what runs, and what waits since when (a number that only grows)."""

    running: dict[str, Need] = field(default_factory=dict)
    _waiting: dict[str, tuple[int, Need]] = field(default_factory=dict)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def take(self, rig: str, need: Need) -> bool:
        """Begins the rig's job if it may begin now; otherwise the rig waits for its turn."""
        number, _ = self._waiting.get(rig, (None, need))
        before = [
            other
            for name, (given, other) in self._waiting.items()
            if name != rig and (number is None or given < number)
        ]
        if any(need.conflicts(other) for other in (*self.running.values(), *before)):
            self._waiting[rig] = (next(self._numbers) if number is None else number, need)
            return False
        self.forget(rig)
        self.running[rig] = need
        return True

    def give_back(self, rig: str) -> None:
        """The rig's job has ended."""
        self.running.pop(rig, None)

    def forget(self, rig: str) -> None:
        """The rig waits for nothing any more."""
        self._waiting.pop(rig, None)

    def in_turn(self, rigs: Iterable[str]) -> list[str]:
        """Idle rigs, those that wait longest first: ask them in this order."""
        numbers = {rig: number for rig, (number, _) in self._waiting.items()}
        idle = [rig for rig in rigs if rig not in self.running]
        return sorted(idle, key=lambda rig: numbers.get(rig, math.inf))
