"""Which candidates a person means: a key, a pick, or the whole front."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.summary import Summary
from search_spaces.names import did_you_mean
from workers.contract.errors import OrchestrateError

# The knee of a front is its best balance, its extremes are the best of each kind.
_ALSO = {"best": ("knee",), "fastest": ("extremes",), "finest": ("extremes",)}


def chosen(summary: Summary, names: Sequence[str]) -> list[Measured]:
    """Records by key, by pick (best, fastest, finest, draft), all extremes or the whole front."""
    picks: dict[str, list[Measured]] = {}
    for group in summary.groups:
        for pick in group.picks:
            for name in (pick.key, *_ALSO.get(pick.key, ())):
                picks.setdefault(name, []).append(pick.record)
        if group.front.members:
            picks.setdefault("front", []).extend(group.front.members)
    found: list[Measured] = []
    for name in names:
        found.extend(picks.get(name) or _by_key(summary.records, name, picks))
    return list({record.trial_id: record for record in found}.values())


def _by_key(records: Sequence[Measured], start: str, picks: Iterable[str]) -> list[Measured]:
    """One candidate by the beginning of its key, on every rig that measured it."""
    found = [r for r in records if start and r.candidate.asked_key.startswith(start)]
    keys = {record.candidate.asked_key for record in found}
    if len(keys) > 1:
        raise OrchestrateError(f"{start!r} begins {len(keys)} keys.", "Give more of it.")
    if not found:
        known = [r.candidate.asked_key[:8] for r in records if r.state is State.COMPLETE]
        raise OrchestrateError(
            f"There is no measured candidate {start!r}.", did_you_mean(start, [*picks, *known[:20]])
        )
    return found
