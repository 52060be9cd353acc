"""A very large sweep: the candidates near its fronts in full, the others in outline."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from db.database import Database
from db.rows import SweepRow
from orchestrator.analysis.collect import collect
from orchestrator.analysis.feasible import contenders
from orchestrator.analysis.front import Level
from orchestrator.analysis.groups import grouped
from orchestrator.analysis.outline import Outline, outline
from orchestrator.analysis.pooling import Spreads, spreads_by_rig
from orchestrator.analysis.records import Measured
from orchestrator.analysis.screen import screened

SAMPLED = 40  # candidates of a rig whose samples say how far its launches differ
NEAREST = 80  # candidates of a front that are compared sample by sample


@dataclass(frozen=True)
class NearFront:
    """`near` are derived and have their samples; `whole` is every record in outline.

    `spreads` is by rig. `levels` says by trial id where each that may stand on a front stands,
    screened.
    """

    near: tuple[Measured, ...]
    whole: Outline
    spreads: dict[str, Spreads]
    levels: dict[int, Level]

    @cached_property
    def far(self) -> tuple[Measured, ...]:
        """The records that were not looked at closely: most are beaten, or failed."""
        close = {record.trial_id for record in self.near}
        return tuple(r for i, r in self.whole.records.items() if i not in close)


def collect_near(database: Database, sweep: SweepRow, before: NearFront | None = None) -> NearFront:
    """Reads every ended trial, but raw samples only of baselines and of what is near a front.

    With the state `before`, only what became known since is read of the others.
    """
    whole = outline(database, sweep, before.whole if before else None)
    able = contenders(whole.records.values(), sweep.space)
    known = before.spreads if before else _spreads(database, sweep, able)
    goals = sweep.space.objectives
    kept = {record.trial_id for record in whole.records.values() if record.is_baseline}
    levels: dict[int, Level] = {}
    for key, records in grouped(able, goals).items():
        values = {m: [record.value(m) or 0.0 for record in records] for m in goals}
        found = screened(values, goals, known.get(key.rig, {}))
        levels.update((r.trial_id, at) for r, at in zip(records, found.levels, strict=True))
        kept.update(records[i].trial_id for i in found.nearest(NEAREST))
    near = collect(database, sweep, sorted(kept)) if kept else ()
    return NearFront(near, whole, known, levels)


def _spreads(database: Database, sweep: SweepRow, able: tuple[Measured, ...]) -> dict[str, Spreads]:
    """How far launches of each rig differ, learnt from some of its candidates."""
    by_rig: dict[str, list[int]] = {}
    for record in able:
        by_rig.setdefault(record.rig, []).append(record.trial_id)
    some = [i for ids in by_rig.values() for i in ids[:: max(1, len(ids) // SAMPLED)]]
    return spreads_by_rig(collect(database, sweep, some)) if some else {}
