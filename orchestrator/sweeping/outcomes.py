"""What to do with an outcome: record first, then close trials and tell the study."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from orchestrator.sweeping.desk import Desk
from orchestrator.sweeping.events import Listener, Tally, TrialEnded
from orchestrator.sweeping.goals import point_of, verdict
from orchestrator.sweeping.jobs import effective_job
from orchestrator.sweeping.ledger import Fault, Ledger
from orchestrator.sweeping.records import Records
from orchestrator.sweeping.trial import OpenTrial
from search_spaces.space import Space
from workers.contract.job import Job
from workers.contract.outcome import Failed, Outcome

ATTEMPTS = 2  # an infrastructure failure is tried once more, on a fresh engine


@dataclass
class Book:
    """Turns outcomes into records, records into verdicts."""

    space: Space
    records: Records
    ledger: Ledger
    listener: Listener
    began: float = field(default_factory=time.monotonic)
    done: int = 0
    failed: int = 0

    def enter(
        self, desks: Mapping[str, Desk], desk: Desk, job: Job, trial: OpenTrial, outcome: Outcome
    ) -> None:
        """Records an outcome and what follows from it."""
        outcome = self._as_it_was(desk, job, trial, outcome)
        self.records.job_ended(outcome)
        self.ledger.learn(outcome.results)
        if isinstance(outcome, Failed):
            self._failed(job, trial, outcome)
        elif outcome.same_as is not None:
            self._replay(desk, trial, outcome.same_as)
        self.close(desks)

    def _as_it_was(self, desk: Desk, job: Job, trial: OpenTrial, outcome: Outcome) -> Outcome:
        """Files results under what the engine really did, where that is not what was asked."""
        effective = outcome.trace.effective
        actual = effective_job(desk, job, effective) if effective else job
        if actual.resolved.key == job.resolved.key:
            return outcome
        trial.resolved = actual.resolved
        trial.memo.update(actual.memo)
        self.records.became(trial)
        results = tuple(
            replace(result, memo_key=actual.memo[result.facet]) for result in outcome.results
        )
        return replace(outcome, results=results)

    def _failed(self, job: Job, trial: OpenTrial, outcome: Failed) -> None:
        done = {result.memo_key for result in outcome.results}
        if outcome.diagnosis.kind.is_infrastructure or not outcome.diagnosis.deterministic:
            trial.attempts += 1
            if trial.attempts < ATTEMPTS:
                self.listener.note(
                    f"{trial.rig}: {outcome.diagnosis.evidence}; the job is tried once more."
                )
                return
        for key in job.memo.values():
            if key not in done:
                self.ledger.fail(key, outcome.diagnosis, job.id)

    def _replay(self, desk: Desk, trial: OpenTrial, key: str) -> None:
        """The launch turned out to be one that is known: its numbers are those."""
        self.records.replayed(trial, desk.known[key])
        desk.open.remove(trial)
        self.records.learn(self.ledger, trial.memo.values(), desk.rig.hardware_key)
        self._tell(desk, trial, replayed=True)

    def close(self, desks: Mapping[str, Desk]) -> None:
        """Ends every open trial whose facets are all known, or one of whose facets failed."""
        for desk in desks.values():
            for trial in list(desk.open):
                fault = self.ledger.failure(trial.memo.values())
                if fault is not None:
                    desk.open.remove(trial)
                    self._fail(desk, trial, fault)
                elif self.ledger.complete(trial.memo.values()):
                    desk.open.remove(trial)
                    self.records.completed(trial)
                    self._tell(desk, trial)

    def _fail(self, desk: Desk, trial: OpenTrial, fault: Fault) -> None:
        self.records.failed(trial, fault.job_id)
        if trial.number is not None:
            if fault.diagnosis.kind.is_infrastructure:
                desk.search.forget(trial.number)
            else:
                desk.search.tell(trial.number, None)
        self.records.told(trial.row)
        self.failed += 1
        self._announce(
            desk,
            trial,
            TrialEnded(trial.rig, trial.number, trial.candidate, failure=fault.diagnosis),
        )

    def _tell(self, desk: Desk, trial: OpenTrial, replayed: bool = False) -> None:
        estimates = dict(self.ledger.estimates(trial.memo.values()))
        if trial.number is not None:
            desk.search.tell(
                trial.number, verdict(self.space, desk.rig, trial.candidate, estimates)
            )
        self.records.told(trial.row)
        if not replayed:
            desk.known.setdefault(trial.resolved.key, trial.row)
            point = point_of(self.space, estimates)
            if point is not None:
                desk.points.append(point)
        self.done += 1
        self._announce(
            desk,
            trial,
            TrialEnded(
                trial.rig, trial.number, trial.candidate, estimates, is_baseline=trial.is_baseline
            ),
        )

    def _announce(self, desk: Desk, trial: OpenTrial, ended: TrialEnded) -> None:
        ended_here = self.done + self.failed
        left = desk.budget if not desk.exhausted else 0
        per_trial = (time.monotonic() - self.began) / max(1, ended_here)
        self.listener.trial_ended(
            ended, Tally(self.done, self.failed, left, per_trial * left if ended_here > 1 else None)
        )
