"""A candidate to measure again, and whether it is still the launch that the sweep measured."""

from __future__ import annotations

from dataclasses import dataclass

from db.database import Database
from db.rows import JobRow, TrialRow
from orchestrator.analysis.records import Measured
from orchestrator.sweeping.resolve import Resolver
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.rules.registry import excluded
from search_spaces.metrics import Facet
from workers.contract.errors import OrchestrateError
from workers.contract.resolved import ResolvedCandidate

AGAIN = "Run the sweep again with what is here now, then verify it."
_TIMED = (Facet.THROUGHPUT, Facet.MEMORY)  # what one serving run brings


class NotTheSameError(OrchestrateError):
    """What the sweep measured is not there any more, so it cannot be verified."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One candidate of a verification: its record in the sweep, and the keys it was known by."""

    record: Measured
    resolved: ResolvedCandidate
    memo: dict[Facet, str]


def make_entry(record: Measured, ground: Ground, database: Database) -> Entry:
    """The record as something to launch. Raises NotTheSameError with what has changed."""
    trial = database.trials.get(record.trial_id)
    why = excluded(ground, record.candidate)
    if why is not None:
        raise NotTheSameError(f"What the sweep measured cannot run here: {why.reason}.", AGAIN)
    resolver = Resolver(ground.space, ground.rig, ground.host)
    resolved = resolver.resolve(record.candidate)
    job = _job_of(trial, database)
    if job is not None:
        _require_same(job, resolved, ground)
    if resolved.key != trial.resolved_key:
        raise NotTheSameError(
            "The sweep measured another launch under this candidate's names.", AGAIN
        )
    key = trial.memo.get(Facet.THROUGHPUT)
    if trial.effective_key is None and resolver.memo(resolved).get(Facet.THROUGHPUT) != key:
        raise NotTheSameError(
            "The suite of prompts, or how it is measured, has changed since the sweep.", AGAIN
        )
    return Entry(
        record, resolved, {facet: trial.memo[facet] for facet in _TIMED if facet in trial.memo}
    )


def _job_of(trial: TrialRow, database: Database) -> JobRow | None:
    """The job that measured the trial's speed."""
    key = trial.memo.get(Facet.THROUGHPUT, "")
    rows = database.memo.samples_for([key]).get(key, ())
    return database.jobs.get(rows[0].job_id) if rows else None


def _require_same(job: JobRow, now: ResolvedCandidate, ground: Ground) -> None:
    candidate, then = now.candidate, job.resolved
    pairs = (
        (f"The engine {candidate.engine} was rebuilt", then.engine, now.engine),
        (f"The model {candidate.model} has changed", then.model, now.model),
        (f"The drafter {candidate.drafter} has changed", then.drafter, now.drafter),
    )
    for what, before, after in pairs:
        if before != after:
            was, is_now = (str(sha)[:12] for sha in (before, after))
            raise NotTheSameError(
                f"{what} since the sweep (sha256 {was} then, {is_now} now).", AGAIN
            )
    if job.hardware_key != ground.rig.hardware_key:
        raise NotTheSameError(
            f"The rig {ground.rig.name} is other hardware than the sweep measured on.",
            "Verify on the machine that measured it.",
        )
