"""Which candidates a table shows: those that decisions are about, not all that were tried."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from orchestrator.analysis.goals.base import Pick
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.summary import GroupSummary


@dataclass(frozen=True, slots=True)
class Picked:
    """A recommended candidate with all the goals that it is best for."""

    rig: str
    record: Measured
    goals: tuple[str, ...]

    @property
    def title(self) -> str:
        """The goals in one line."""
        return ", ".join([self.goals[0], *(goal.lower() for goal in self.goals[1:])])


def picked(facts: Facts) -> tuple[Picked, ...]:
    """What is recommended, rig by rig, each candidate once."""
    found: dict[int, Picked] = {}
    for advice in facts.advice:
        for pick in advice.answers:
            if isinstance(pick, Pick):
                trial = pick.record.trial_id
                before = found[trial].goals if trial in found else ()
                found[trial] = Picked(advice.rig, pick.record, (*before, pick.title))
    return tuple(found.values())


def notable(group: GroupSummary) -> tuple[Measured, ...]:
    """The front, then what stands beside it: picks that are not on it, and baselines."""
    beside = (*(pick.record for pick in group.picks), *group.baselines)
    records = (*group.front.members, *beside)
    return tuple({record.trial_id: record for record in records}.values())


def complete(group: GroupSummary) -> tuple[Measured, ...]:
    """What was measured to the end."""
    return tuple(record for record in group.records if record.state is State.COMPLETE)


def fastest(records: Iterable[Measured]) -> Measured | None:
    """The highest tok/s; of equals the first trial."""
    known = [record for record in records if record.value("tok_s") is not None]
    return max(known, key=lambda r: (r.value("tok_s") or 0.0, -r.trial_id), default=None)
