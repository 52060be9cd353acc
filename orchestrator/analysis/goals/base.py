"""What a goal is: a way to choose one candidate out of those that may be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.front import Front
from orchestrator.analysis.records import Measured
from workers.statistics.comparison import Comparison


@dataclass(frozen=True)
class Field:
    """What a goal may choose from: complete records of one rig, their front, their comparer."""

    records: tuple[Measured, ...]
    front: Front
    comparer: Comparer

    def with_metric(self, metric: str) -> Sequence[Measured]:
        """Who competes in a metric: the front where it is an objective, else all that have it."""
        if metric in self.front.objectives:
            return self.front.members
        return [record for record in self.records if record.value(metric) is not None]

    def crowd(self, metric: str) -> str:
        """Who competes in a metric, in words."""
        where = "on the front" if metric in self.front.objectives else "measured"
        return f"{len(self.with_metric(metric))} {where}"


@dataclass(frozen=True, slots=True)
class Pick:
    """One recommendation. `against` compares it with the runner-up, one entry per metric.

    `about` are the metrics that the goal looks at. `shown` is True when the lead over the
    runner-up in one of them is significant; otherwise they are "no difference shown". `why` is
    the reason as the end of a sentence.
    """

    key: str
    title: str
    record: Measured
    runner_up: Measured | None = None
    against: tuple[Comparison, ...] = ()
    shown: bool = False
    about: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Absent:
    """A goal for which nothing can be recommended, and why not."""

    key: str
    title: str
    reason: str


class Goal(Protocol):
    """`key` names it on command lines, `title` for people; goals are told in order of `rank`."""

    key: str
    title: str
    rank: int

    def choose(self, field: Field) -> Pick | Absent:
        """The recommendation, or why there is none."""
        ...
