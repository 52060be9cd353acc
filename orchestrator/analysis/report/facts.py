"""Everything that the sections of a report read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from db.rows import QuarantineRow, SweepRow, TrialResult
from orchestrator.analysis.advice import RigAdvice, advise
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.exports.base import ExportError
from orchestrator.analysis.exports.exporter import Exporter
from orchestrator.analysis.goals.base import Pick
from orchestrator.analysis.pooling import Spreads, spreads_by_rig
from orchestrator.analysis.records import Measured, State
from orchestrator.analysis.summary import GroupSummary, Summary
from workers.contract.reports import HostReport, RigReport


@dataclass(frozen=True, slots=True)
class Facts:
    """One sweep, on the rigs that the report is about.

    `results` (trials as stored, with gates and failures) and `commands` (how to serve what is
    recommended, where the engine has a spelling for it) are by trial id; `spreads` and
    `comparers` by rig. `left_out` are rigs that got no more work.
    """

    sweep: SweepRow
    summary: Summary
    hosts: tuple[HostReport, ...]
    results: Mapping[int, TrialResult]
    left_out: tuple[QuarantineRow, ...]
    spreads: Mapping[str, Spreads]
    comparers: Mapping[str, Comparer]
    advice: tuple[RigAdvice, ...]
    commands: Mapping[int, tuple[str, ...]]

    @classmethod
    def of(
        cls,
        sweep: SweepRow,
        summary: Summary,
        hosts: Sequence[HostReport],
        results: Sequence[TrialResult],
        left_out: Sequence[QuarantineRow] = (),
    ) -> Facts:
        """The facts of a summary's records; results of other rigs are no part of them."""
        spreads = spreads_by_rig(summary.records)
        advice = advise(summary.records, sweep.space, ())
        known = {record.trial_id for record in summary.records}
        return cls(
            sweep,
            summary,
            tuple(hosts),
            {result.trial.id: result for result in results if result.trial.id in known},
            tuple(left_out),
            spreads,
            {
                rig: Comparer([r for r in summary.records if r.rig == rig], spread)
                for rig, spread in spreads.items()
            },
            advice,
            _commands(advice, Exporter(tuple(hosts), summary.namer)),
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
        """The rigs that measured something, each with its host; all while none has yet."""
        known = [(host, rig) for host in self.hosts for rig in host.rigs]
        names = {record.rig for record in self.summary.records}
        return tuple((host, rig) for host, rig in known if rig.name in names or not names)


def _commands(advice: Sequence[RigAdvice], exporter: Exporter) -> dict[int, tuple[str, ...]]:
    """What was simulated, or has no spelling, has no command."""
    picks = [pick for rig in advice for pick in rig.answers if isinstance(pick, Pick)]
    found: dict[int, tuple[str, ...]] = {}
    for record in (pick.record for pick in picks if not pick.record.simulated):
        try:
            found[record.trial_id] = exporter.request(record).argv
        except ExportError:
            continue
    return found
