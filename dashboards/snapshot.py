"""One sweep as it was at one moment, with what several pages need of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from dashboards.frames import frame
from db.database import Database
from db.rows import SweepRow
from orchestrator.analysis.collect import collect
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.derive import derive
from orchestrator.analysis.feasible import contenders
from orchestrator.analysis.front import front_of
from orchestrator.analysis.records import Measured
from orchestrator.analysis.summary import Summary, summarise
from search_spaces.metrics import Direction
from workers.contract.reports import HostReport, RigReport

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Snapshot:
    """Frozen; what is expensive is made when it is first asked for, and kept."""

    row: SweepRow
    hosts: tuple[HostReport, ...]
    summary: Summary
    _by_prompts: dict[tuple[str, ...], Snapshot] = field(default_factory=dict, repr=False)

    @property
    def records(self) -> tuple[Measured, ...]:
        """Every trial that has ended, with derived metrics."""
        return self.summary.records

    @cached_property
    def by_id(self) -> dict[int, Measured]:
        """Records by trial id."""
        return {record.trial_id: record for record in self.records}

    @cached_property
    def comparers(self) -> dict[str, Comparer]:
        """One for each rig."""
        rigs: dict[str, list[Measured]] = defaultdict(list)
        for record in self.records:
            rigs[record.rig].append(record)
        return {rig: Comparer(own) for rig, own in rigs.items()}

    @cached_property
    def data(self) -> DataFrame:
        """All groups in one frame, named by what differs in the whole sweep.

        Beside the columns of `frame`: group (title of its front) and sweep (its name).
        """
        import pandas as pd

        parts = [
            frame(group, self.summary.namer).assign(group=group.title)
            for group in self.summary.groups
        ]
        data = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
        return data.assign(sweep=self.row.name)

    def levels(self, trial_ids: Iterable[int], goals: Mapping[str, Direction]) -> dict[int, str]:
        """Where each contender among these trials stands for these goals, within its group."""
        wanted = set(trial_ids)
        found: dict[int, str] = {}
        for group in self.summary.groups:
            records = [record for record in group.records if record.trial_id in wanted]
            able = contenders(records, self.row.space)
            front = front_of(able, goals, self.comparers[group.key.rig])
            found.update((place.record.trial_id, str(place.level)) for place in front.placed)
        return found

    def of_prompts(self, groups: tuple[str, ...]) -> Snapshot:
        """The same sweep with speeds from these classes of prompts only; all when none is named."""
        known = {sample.group for record in self.records for sample in record.throughput}
        wanted = tuple(sorted(set(groups) & known))
        if not wanted or set(wanted) == known:
            return self
        if wanted not in self._by_prompts:
            some = [
                replace(
                    record,
                    throughput=tuple(s for s in record.throughput if s.group in wanted),
                    baseline_id=None,
                )
                for record in self.records
            ]
            space = self.row.space
            again = summarise(derive(some, space), space)
            self._by_prompts[wanted] = Snapshot(self.row, self.hosts, again)
        return self._by_prompts[wanted]

    def rig(self, name: str) -> RigReport | None:
        """What the host said of a rig."""
        found = (rig for host in self.hosts for rig in host.rigs if rig.name == name)
        return next(found, None)


def take(database: Database, row: SweepRow) -> Snapshot:
    """Reads a sweep; raises DatabaseError for what cannot be read."""
    return Snapshot(row, database.hosts.of(row.id), summarise(collect(database, row), row.space))
