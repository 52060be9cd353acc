"""What the driver writes and reads, in its own words. The only door from here to the database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from db.database import Database
from db.rows import TrialRow
from db.states import TrialRole, TrialState
from orchestrator.analysis.samples import merged
from orchestrator.sweeping.ledger import Ledger
from orchestrator.sweeping.trial import OpenTrial
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.job import Job
from workers.contract.outcome import Failed, Outcome
from workers.contract.reports import RigReport
from workers.contract.resolved import ResolvedCandidate
from workers.engines.reap import reap
from workers.rig_worker import PID_FILE


class Records:
    """One sweep's records. Everything is written before the study is told."""

    def __init__(self, database: Database, sweep_id: int) -> None:
        self._db = database
        self._sweep = sweep_id

    def add(
        self,
        rig: str,
        candidate: Candidate,
        number: int | None,
        resolved: ResolvedCandidate,
        memo: Mapping[Facet, str],
        role: TrialRole,
    ) -> OpenTrial:
        """A new trial that waits for its facets."""
        row = self._db.trials.add(
            self._sweep, rig, candidate, role, number=number, resolved=resolved, memo=memo
        )
        baseline = role is TrialRole.BASELINE
        return OpenTrial(row.id, number, rig, candidate, resolved, dict(memo), baseline)

    def job_started(self, job: Job, rig: RigReport) -> None:
        """A job is on its way."""
        self._db.jobs.start(job, rig, self._sweep)

    def job_ended(self, outcome: Outcome) -> None:
        """Everything a job brought, in one transaction."""
        self._db.outcomes.record(outcome)

    def learn(self, ledger: Ledger, keys: Iterable[str], hardware_key: str) -> None:
        """Takes into the ledger what earlier jobs, of this sweep or another, found out."""
        unknown = [k for k in keys if k not in ledger.measured and k not in ledger.failed]
        if not unknown:
            return
        known = self._db.memo.known(unknown, hardware_key=hardware_key)
        for key, metrics in self._db.memo.estimates_for(known.measured).items():
            ledger.measured[key] = {name: row.estimate for name, row in metrics.items()}
        for key, failure in known.failed.items():
            ledger.fail(key, failure.diagnosis, failure.job_id)
        found = self._db.memo.samples_for(known.measured)
        ledger.learn_samples({key: merged(rows) for key, rows in found.items()})

    def abandon_jobs(self) -> None:
        """Jobs of a driver that was killed have no outcome: they are given one."""
        for job in self._db.jobs.running():
            if job.sweep_id == self._sweep:
                self._db.outcomes.record(interrupted(job.id))

    def completed(self, trial: OpenTrial) -> None:
        """All facets are known."""
        self._db.trials.complete(trial.row)

    def failed(self, trial: OpenTrial, job_id: str) -> None:
        """The trial has no result, because of a job."""
        self._db.trials.fail(trial.row, job_id)

    def replayed(self, trial: OpenTrial, same_as: int) -> None:
        """The trial turned out to be another one under a different name."""
        self._db.trials.replay(trial.row, same_as)

    def became(self, trial: OpenTrial) -> None:
        """The engine did something else than was asked: the trial's keys follow what it did."""
        self._db.trials.set_effective(trial.row, trial.resolved.key)
        self._db.trials.link(trial.row, trial.memo)

    def told(self, trial_id: int) -> None:
        """The study knows."""
        self._db.trials.told(trial_id)

    def all(self) -> tuple[TrialRow, ...]:
        """Every trial of the sweep so far."""
        return self._db.trials.list(self._sweep)


def interrupted(job_id: str) -> Failed:
    """The outcome of a job that a stopped or killed sweep left behind."""
    why = Diagnosis(
        FailureKind.INTERRUPTED,
        "the sweep was stopped while this job ran",
        "It is measured again when the same command is run.",
        deterministic=False,
    )
    return Failed(job_id, why, Phase.MEASURE)


def is_open(row: TrialRow) -> bool:
    """Whether a recorded trial still waits for facets."""
    return row.state is TrialState.WAITING


def reap_engines(log_root: Path) -> list[int]:
    """Kills engines that an earlier, killed run left behind, found by (pid, start time)."""
    files = list(log_root.glob(f"*/{PID_FILE}")) if log_root.is_dir() else []
    left: list[tuple[int, float]] = []
    for file in files:
        try:
            pid, started = json.loads(file.read_text())
            left.append((int(pid), float(started)))
        except (OSError, ValueError, TypeError):
            pass  # half written when its writer was killed: the engine died with it
        file.unlink(missing_ok=True)
    return reap(left)
