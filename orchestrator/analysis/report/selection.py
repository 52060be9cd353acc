"""Which candidates a table shows: those that decisions are about, not all that were tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.summary import GroupSummary


def picked(group: GroupSummary) -> Mapping[int, tuple[Measured, str]]:
    """By trial: each picked candidate with all the titles that it has won."""
    titles: dict[int, list[str]] = {}
    for pick in group.picks:
        titles.setdefault(pick.record.trial_id, []).append(pick.title)
    return {
        pick.record.trial_id: (pick.record, _joined(titles[pick.record.trial_id]))
        for pick in group.picks
    }


def _joined(titles: list[str]) -> str:
    return ", ".join([titles[0], *(title.lower() for title in titles[1:])])


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
