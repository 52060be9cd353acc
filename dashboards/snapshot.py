"""One sweep as it was at one moment, with what several pages need of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dashboards.frames import frame, outlines
from db.database import Database
from db.rows import SweepRow
from orchestrator.analysis.collect import collect
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.derive import derive
from orchestrator.analysis.feasible import contenders
from orchestrator.analysis.front import front_of
from orchestrator.analysis.groups import grouped
from orchestrator.analysis.near_front import NearFront, collect_near
from orchestrator.analysis.records import Measured
from orchestrator.analysis.screen import screened
from orchestrator.analysis.summary import Summary, summarise
from orchestrator.analysis.words import Namer
from search_spaces.metrics import Direction
from workers.contract.reports import HostReport, RigReport

if TYPE_CHECKING:
    from pandas import DataFrame

SETTINGS = ("sweep", "rig", "engine", "model_ref", "model", "kv", "kv_k", "kv_v", "ctx", "spec",
            "n_max")  # fmt: skip
LARGE = 400  # trials; more are not all compared sample by sample


@dataclass(frozen=True)
class Snapshot:
    """Frozen; what is expensive is made when it is first asked for, and kept.

    `beyond` is None but for a very large sweep: then `summary` is of its `near` records.
    """

    row: SweepRow
    hosts: tuple[HostReport, ...]
    summary: Summary
    beyond: NearFront | None = None
    _by_prompts: dict[tuple[str, ...], Snapshot] = field(default_factory=dict, repr=False)

    @property
    def records(self) -> tuple[Measured, ...]:
        """Every trial that has ended, with derived metrics (near the fronts, in a large sweep)."""
        return self.summary.records

    @cached_property
    def everything(self) -> tuple[Measured, ...]:
        """The records, and those that are far from every front."""
        return self.records + (self.beyond.far if self.beyond else ())

    @cached_property
    def by_id(self) -> dict[int, Measured]:
        """Records by trial id."""
        return {record.trial_id: record for record in self.everything}

    @cached_property
    def settings(self) -> dict[str, list[Any]]:
        """What occurs in each column that filters and colours are of."""
        return {name: list(self.data[name].unique()) for name in SETTINGS if name in self.data}

    @cached_property
    def metrics(self) -> frozenset[str]:
        """Every metric that some candidate has."""
        return frozenset(name for r in self.everything for name in r.estimates)

    @cached_property
    def prompts(self) -> tuple[str, ...]:
        """The classes of the prompts that speeds were measured with."""
        return tuple(sorted({s.group for r in self.records for s in r.throughput} - {""}))

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
        if self.beyond:
            parts += _far_rows(self.beyond, self.summary)
        data = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
        return data.assign(sweep=self.row.name)

    def levels(self, trial_ids: Iterable[int], goals: Mapping[str, Direction]) -> dict[int, str]:
        """Where each contender among these trials stands for these goals, within its group."""
        wanted = set(trial_ids)
        if self.beyond:
            return self._roughly(wanted, self.beyond, goals)
        found: dict[int, str] = {}
        for group in self.summary.groups:
            records = [record for record in group.records if record.trial_id in wanted]
            able = contenders(records, self.row.space)
            front = front_of(able, goals, self.comparers[group.key.rig])
            found.update((place.record.trial_id, str(place.level)) for place in front.placed)
        return found

    def _roughly(
        self, wanted: set[int], beyond: NearFront, goals: Mapping[str, Direction]
    ) -> dict[int, str]:
        """Levels of very many candidates: by point estimates and the spread of their rig."""
        data = self.data[self.data["trial_id"].isin(wanted & beyond.levels.keys())]
        data = data[data[list(goals)].notna().all(axis=1)]
        found: dict[int, str] = {}
        for (_, rig), part in data.groupby(["group", "rig"], sort=False):
            values = {metric: part[metric].tolist() for metric in goals}
            levels = screened(values, goals, beyond.spreads.get(str(rig), {})).levels
            found.update(zip(part["trial_id"].tolist(), map(str, levels), strict=True))
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


def _far_rows(beyond: NearFront, summary: Summary) -> list[DataFrame]:
    """Rows of what was not looked at closely; their groups are called as the fronts are.

    Where they stand is screened: by point estimates and the spread of their rig.
    """
    titles = {group.key: group.title for group in summary.groups}
    made = []
    for key, own in grouped(beyond.far, summary.space.objectives).items():
        data = outlines(own, summary.namer, summary.space.objectives)
        levels = [beyond.levels.get(record.trial_id, "") for record in own]
        made.append(data.assign(group=titles.get(key, key.title()), level=levels))
    return made


def take(database: Database, row: SweepRow, before: Snapshot | None = None) -> Snapshot:
    """Reads a sweep; raises DatabaseError for what cannot be read.

    Of a large one that was read `before`, only what became known since is read.
    """
    counts = database.trials.counts(row.id).values()
    hosts = database.hosts.of(row.id)
    if sum(count.total for count in counts) <= LARGE:
        return Snapshot(row, hosts, summarise(collect(database, row), row.space))
    beyond = collect_near(database, row, before.beyond if before else None)
    summary = summarise(beyond.near, row.space)
    namer = Namer.of(record.candidate for record in beyond.whole.records.values())
    return Snapshot(row, hosts, replace(summary, namer=namer), beyond)
