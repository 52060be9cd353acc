"""Everything that the sections of a report read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from db.rows import SweepRow, TrialResult
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.pooling import Spreads, spreads_by_rig
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.summary import GroupSummary, Summary
from workers.contract.reports import HostReport, RigReport


@dataclass(frozen=True, slots=True)
class Facts:
    """One sweep, on the rigs that the report is about.

    `results` (trials as stored, with gates and failures) and `commands` (the launch command of
    picked candidates) are by trial id; `spreads` and `comparers` by rig.
    """

    sweep: SweepRow
    summary: Summary
    hosts: tuple[HostReport, ...]
    results: Mapping[int, TrialResult]
    commands: Mapping[int, tuple[str, ...]]
    spreads: Mapping[str, Spreads]
    comparers: Mapping[str, Comparer]

    @classmethod
    def of(
        cls,
        sweep: SweepRow,
        summary: Summary,
        hosts: Sequence[HostReport],
        results: Sequence[TrialResult],
        commands: Mapping[int, tuple[str, ...]],
    ) -> Facts:
        """The facts of a summary's records; results of other rigs are left out."""
        spreads = spreads_by_rig(summary.records)
        known = {record.trial_id for record in summary.records}
        return cls(
            sweep,
            summary,
            tuple(hosts),
            {result.trial.id: result for result in results if result.trial.id in known},
            commands,
            spreads,
            {
                rig: Comparer([r for r in summary.records if r.rig == rig], spread)
                for rig, spread in spreads.items()
            },
        )

    @property
    def groups(self) -> tuple[GroupSummary, ...]:
        """The fronts: one for each rig and, normally, each context capacity."""
        return self.summary.groups

    @property
    def complete(self) -> tuple[Measured, ...]:
        """Every candidate that was measured to the end."""
        return tuple(r for r in self.summary.records if r.state is State.COMPLETE)

    @property
    def rigs(self) -> tuple[tuple[HostReport, RigReport], ...]:
        """The rigs that measured something, each with the host it is on."""
        names = {record.rig for record in self.summary.records}
        return tuple((h, rig) for h in self.hosts for rig in h.rigs if rig.name in names)
