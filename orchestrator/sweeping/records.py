"""What the driver writes and reads, in its own words. The only door from here to the database."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from db.database import Database
from db.rows import TrialRow
from db.states import TrialRole, TrialState
from orchestrator.analysis.samples import merged
from orchestrator.sweeping.ceiling.earlier import attempts_of
from orchestrator.sweeping.ledger import Fault, Ledger
from orchestrator.sweeping.leftovers import interrupted
from orchestrator.sweeping.patience import IMPATIENT, Patience
from orchestrator.sweeping.trial import OpenTrial
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from workers.contract.job import Job
from workers.contract.outcome import Failed, Outcome
from workers.contract.reports import RigReport
from workers.contract.resolved import ResolvedCandidate

P = ParamSpec("P")
T = TypeVar("T")


def patient(
    method: Callable[Concatenate[Records, P], T],
) -> Callable[Concatenate[Records, P], T]:
    """The method, tried again while the database is away; each may be, see `patience`."""

    @wraps(method)
    def call(self: Records, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.patience(lambda: method(self, *args, **kwargs))

    return call


class Records:
    """One sweep's records. Everything is written before the study is told."""

    def __init__(self, database: Database, sweep_id: int, patience: Patience = IMPATIENT) -> None:
        self._db = database
        self._sweep = sweep_id
        self.patience = patience

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
        attempt = itertools.count()

        def once() -> TrialRow:
            again = next(attempt) > 0
            there = self._unnumbered(rig, candidate, role) if again and number is None else None
            return there or self._db.trials.add(
                self._sweep, rig, candidate, role, number=number, resolved=resolved, memo=memo
            )

        row = self.patience(once)
        return OpenTrial(
            row.id,
            number,
            rig,
            candidate,
            resolved,
            dict(memo),
            is_baseline=role is TrialRole.BASELINE,
            is_anchor=role is TrialRole.ANCHOR,
        )

    def _unnumbered(self, rig: str, candidate: Candidate, role: TrialRole) -> TrialRow | None:
        """What an attempt to add a trial outside of the study has added, its answer being lost."""
        rows = self._db.trials.list(self._sweep)
        mine = (r for r in reversed(rows) if (r.rig, r.role, r.number) == (rig, role, None))
        waiting = (r for r in mine if r.state is TrialState.WAITING)
        return next((r for r in waiting if r.candidate == candidate), None)

    @patient
    def job_started(self, job: Job, rig: RigReport) -> None:
        """A job is on its way."""
        self._db.jobs.start(job, rig, self._sweep)

    @patient
    def job_ended(self, outcome: Outcome) -> None:
        """Everything a job brought, in one transaction."""
        self._db.jobs.record(outcome)

    @patient
    def learn(self, ledger: Ledger, keys: Iterable[str], hardware_key: str) -> None:
        """Takes into the ledger what earlier jobs, of this sweep or another, found out."""
        unknown = [
            key
            for key in keys
            if key not in ledger.measured and (key, hardware_key) not in ledger.failed
        ]
        if not unknown:
            return
        known = self._db.memo.known(unknown, hardware_key=hardware_key)
        if known.measured:
            estimates = self._db.memo.estimates_for(known.measured)
            for key in known.measured:  # a facet may have been measured and told no number
                rows = estimates.get(key, ())
                ledger.measured[key] = {row.estimate.metric: row.estimate for row in rows}
            found = self._db.memo.samples_for(known.measured)
            samples = {key: merged(rows) for key, rows in found.items()}
            ledger.learn_samples(samples, hardware_key)
        for key, failure in known.failed.items():
            ledger.fail(key, hardware_key, Fault(failure.diagnosis, failure.job_id))

    @patient
    def attempts(self, key: str) -> list[tuple[int, Outcome]]:
        """What was tried before at a context ceiling."""
        return attempts_of(self._db, key)

    def abandon_jobs(self) -> None:
        """Jobs of a driver that was stopped or killed have no outcome: they are given one."""
        for job in self._db.jobs.running():
            if job.sweep_id == self._sweep:
                self._db.jobs.record(interrupted(job.id))

    @patient
    def left_out(self, rig: str, reason: str) -> None:
        """A rig gets no more work in this run."""
        self._db.quarantines.begin(self._sweep, rig, reason)

    @patient
    def fault_of(self, row: TrialRow) -> Fault | None:
        """Why a recorded trial failed; None for one that did not."""
        if row.failed_by is None:
            return None
        outcome = self._db.jobs.outcome(row.failed_by)
        assert isinstance(outcome, Failed), "only a failed job makes a trial fail"
        return Fault(outcome.diagnosis, row.failed_by)

    @patient
    def completed(self, trial: OpenTrial) -> None:
        """All facets are known."""
        self._db.trials.complete(trial.row)

    @patient
    def failed(self, trial: OpenTrial, fault: Fault) -> None:
        """The trial has no result, because of a job: its own, or its baseline's."""
        if fault.flag:
            self._db.trials.flag(trial.row, (fault.flag,))
        self._db.trials.fail(trial.row, fault.job_id)

    @patient
    def replayed(self, trial: OpenTrial, same_as: int) -> None:
        """The trial turned out to be another one under a different name."""
        self._db.trials.replay(trial.row, same_as)

    @patient
    def became(self, trial: OpenTrial) -> None:
        """The engine did something else than was asked: the trial's keys follow what it did."""
        self._db.trials.set_effective(trial.row, trial.key)
        self._db.trials.link(trial.row, trial.memo)

    @patient
    def speeds(self, rig: str) -> list[str]:
        """The memo keys of the speeds that this sweep measured on a rig."""
        delivered = self._db.jobs.delivered(self._sweep, Facet.THROUGHPUT)
        return [key for where, key in delivered if where == rig]

    @patient
    def told(self, trial_id: int) -> None:
        """The study knows."""
        self._db.trials.told(trial_id)

    @patient
    def all(self) -> tuple[TrialRow, ...]:
        """Every trial of the sweep so far."""
        return self._db.trials.list(self._sweep)
