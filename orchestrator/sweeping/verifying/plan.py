"""What a verification runs, and in which order: every round launches each candidate once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from db.database import Database
from db.rows import SweepRow
from db.verification_rows import RunRow
from orchestrator.analysis.records import Measured, State
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.verifying.entry import Entry, make_entry
from workers.contract.errors import OrchestrateError
from workers.contract.memo import again
from workers.contract.reports import HostReport, RigReport


@dataclass(frozen=True)
class Verification:
    """A verification that stands: its rigs, entries by trial, and runs in order for each rig."""

    sweep: SweepRow
    seed: int
    launches: int
    rigs: dict[str, RigReport]
    entries: dict[int, Entry]
    runs: tuple[RunRow, ...]


def plan_verification(
    sweep: SweepRow,
    finalists: Sequence[Measured],
    records: Sequence[Measured],
    host: HostReport,
    database: Database,
    launches: int,
    seed: int,
) -> Verification:
    """The finalists with their baselines, interleaved. Runs nothing.

    Raises OrchestrateError for what cannot be verified: simulated or failed results, a rig that
    is not here, an engine or a file that has changed since.
    """
    require_measured(finalists)
    by_id = {record.trial_id: record for record in records}
    wanted = {record.trial_id: record for record in finalists}
    for record in finalists:
        if record.baseline_id is not None:
            wanted.setdefault(record.baseline_id, by_id[record.baseline_id])
    rigs = {rig.name: rig for rig in host.rigs}
    entries: dict[int, Entry] = {}
    for trial, record in sorted(wanted.items()):
        if record.rig not in rigs:
            raise OrchestrateError(
                f"The rig {record.rig} of the sweep is not on this machine.",
                "Verify on the machine that measured it, or name candidates of another rig. "
                "Rigs of a sweep with --address cannot be verified yet: sweep there without it.",
            )
        entries[trial] = make_entry(record, Ground(sweep.space, rigs[record.rig], host), database)
    used = sorted({record.rig for record in wanted.values()})
    earlier = len(database.verifications.of(sweep.id))
    occasion = f"{sweep.key}/{seed}/{earlier}"
    runs = [run for rig in used for run in _order(rig, entries, launches, seed, occasion)]
    return Verification(
        sweep, seed, launches, {name: rigs[name] for name in used}, entries, tuple(runs)
    )


def require_measured(finalists: Sequence[Measured]) -> None:
    """Raises OrchestrateError for what no measurement of a real engine stands behind."""
    for record in finalists:
        key = record.candidate.asked_key[:8]
        if record.simulated:
            raise OrchestrateError(
                f"{key} is simulated: its numbers were replayed, so there is nothing to verify.",
                "Sweep with a real engine first.",
            )
        if record.state is not State.COMPLETE or not record.throughput:
            raise OrchestrateError(
                f"{key} has no speed that was measured, so there is nothing to verify.",
                "Name a candidate of the front, or none.",
            )


def _order(
    rig: str, entries: dict[int, Entry], launches: int, seed: int, occasion: str
) -> list[RunRow]:
    """Round after round, each in random order: what drifts with time is nobody's advantage."""
    rng, runs = random.Random(f"{seed}/{rig}"), list[RunRow]()
    mine = [trial for trial, entry in entries.items() if entry.record.rig == rig]
    for number in range(launches):
        rng.shuffle(mine)
        for trial in mine:
            memo = {
                f: again(key, f"verify/{occasion}/{number}")
                for f, key in entries[trial].memo.items()
            }
            runs.append(RunRow(rig, len(runs), number, trial, memo))
    return runs
