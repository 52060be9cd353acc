"""What to do with an outcome: record first, then close trials and tell the study."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from orchestrator.sweeping.anchors import what_it_shows
from orchestrator.sweeping.ceiling.book import CeilingBook
from orchestrator.sweeping.derived import (
    BASELINE_FAILED,
    because_of,
    estimates_against,
    refers_to_baseline,
)
from orchestrator.sweeping.desk import Desk
from orchestrator.sweeping.events import Listener, Tally, TrialEnded
from orchestrator.sweeping.goals import group_of, point_of, verdict
from orchestrator.sweeping.jobs import effective_job
from orchestrator.sweeping.ledger import Fault, Ledger
from orchestrator.sweeping.records import Records
from orchestrator.sweeping.rules.memory import learn_from_launch
from orchestrator.sweeping.seat import Seat
from orchestrator.sweeping.trial import Launch, OpenTrial
from orchestrator.sweeping.verdict import failed
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.space import Space
from workers.contract.job import Job
from workers.contract.outcome import Completed, Estimate, Failed, Outcome

ATTEMPTS = 2  # an infrastructure failure is tried once more, on a fresh engine


@dataclass
class Book:
    """Turns outcomes into records, records into verdicts."""

    space: Space
    desks: Mapping[str, Desk]
    records: Records
    ledger: Ledger
    listener: Listener
    began: float = field(default_factory=time.monotonic)
    done: int = 0
    failed: int = 0

    def __post_init__(self) -> None:
        self.relative = refers_to_baseline(self.space)
        self.ceilings = CeilingBook(self.records.attempts)

    def enter(self, desk: Desk, seat: Seat, job: Job, trial: OpenTrial, outcome: Outcome) -> None:
        """Records an outcome and what follows from it."""
        if Facet.CEILING in job.facets:
            self._attempted(desk, seat, job, trial, outcome)
            return
        if not trial.is_anchor:
            outcome = self._as_it_was(desk, job, trial, outcome)
            seat.anchors.measured += any(r.facet is Facet.THROUGHPUT for r in outcome.results)
        self.records.job_ended(outcome)
        if isinstance(outcome, Completed):  # what failed may not have been loaded as it was meant
            launched = job.resolved.with_effective(dict(outcome.trace.effective))
            learn_from_launch(desk.ground, launched, outcome.trace.telemetry)
        self.ledger.learn(outcome.results, desk.hardware)
        if seat.watch.saw(job.resolved.candidate.engine, outcome):
            self._leave_out(seat)
        elif isinstance(outcome, Failed):
            self._failed(desk, seat, job, outcome)
        elif outcome.same_as is not None and trial in desk.open:
            self._same_as(desk, trial, outcome.same_as)
        elif not trial.is_anchor and any(facet.belongs_to_rig for facet in job.facets):
            desk.known.setdefault(trial.key, Launch(trial.row, trial.memo))
        self.close()

    def _attempted(
        self, desk: Desk, seat: Seat, job: Job, trial: OpenTrial, outcome: Outcome
    ) -> None:
        """An attempt at a ceiling: its failure is a step of the search, not of the trial.

        But for the last one, where no context works.
        """
        key = trial.memo[Facet.CEILING]
        outcome, is_attempt = self.ceilings.entered(trial, job, outcome)
        self.records.job_ended(outcome)
        self.ledger.learn(outcome.results, desk.hardware)
        if seat.watch.saw(job.resolved.candidate.engine, outcome):
            self._leave_out(seat)
        elif isinstance(outcome, Failed) and not is_attempt:
            self._failed(desk, seat, replace(job, memo={Facet.CEILING: key}), outcome)
        elif isinstance(outcome, Failed) and self._is_nowhere(trial):
            self.ledger.fail(key, desk.hardware, Fault(outcome.diagnosis, job.id))
        self.close()

    def _is_nowhere(self, trial: OpenTrial) -> bool:
        """Whether the search is over without an answer: no context works."""
        key = trial.memo[Facet.CEILING]
        return self.ceilings.is_over(trial) and key not in self.ledger.measured

    def _as_it_was(self, desk: Desk, job: Job, trial: OpenTrial, outcome: Outcome) -> Outcome:
        """Files results under what the engine really did, where that is not what was asked.

        A trial that failed keeps its keys: what failed is what was asked for.
        """
        effective = outcome.trace.effective
        actual = effective_job(desk, job, effective) if effective else job
        if actual.resolved.key == job.resolved.key:
            return outcome
        if not isinstance(outcome, Failed) and outcome.same_as is None:
            trial.effective_key = actual.resolved.key
            trial.memo.update(actual.memo)
            self.records.became(trial)
        results = tuple(
            replace(result, memo_key=actual.memo[result.facet]) for result in outcome.results
        )
        return replace(outcome, results=results)

    def _failed(self, desk: Desk, seat: Seat, job: Job, outcome: Failed) -> None:
        keys = [key for key in job.memo.values() if key not in self.ledger.measured]
        why = outcome.diagnosis
        may_pass = why.kind.is_infrastructure or not why.deterministic
        if may_pass and self.ledger.tried(keys, desk.rig.name) < ATTEMPTS:
            self.ledger.lost.update(dict.fromkeys(keys, seat.name))
            self.listener.note(f"{seat.name}: {why.evidence}; the job is tried once more.")
            return
        place = desk.rig.name if may_pass else desk.hardware
        for key in keys:
            self.ledger.fail(key, place, Fault(why, job.id))

    def _leave_out(self, seat: Seat) -> None:
        """The rig gets no more work; what is open goes to its twin, or stays for the next run."""
        reason = seat.watch.reason or ""
        self.records.left_out(seat.name, reason)
        self.listener.note(f"{reason} The same command tries it again.")

    def _same_as(self, desk: Desk, trial: OpenTrial, key: str) -> None:
        """The launch turned out to be one that is known: its numbers are those."""
        trial.effective_key = key
        trial.memo = dict(desk.known[key].memo)
        self.records.became(trial)

    def close(self) -> None:
        """Ends every open trial whose facets are all known, or one of whose facets failed."""
        for desk in self.desks.values():
            for trial in list(desk.open):
                fault = self._fault(desk, trial)
                if trial.is_anchor:
                    self._close_anchor(desk, trial, fault)
                elif fault is not None:
                    self._fail(desk, trial, fault)
                elif self._is_known(desk, trial):
                    self._complete(desk, trial)

    def _close_anchor(self, desk: Desk, trial: OpenTrial, fault: Fault | None) -> None:
        """An anchor that failed says nothing about a candidate: the sweep goes on."""
        if fault is not None:
            self.records.failed(trial, fault)
            said: str | None = f"the baseline again: {fault.diagnosis.evidence}."
        elif self.ledger.complete(trial.memo.values()):
            self.records.completed(trial)
            first = desk.baselines.get(trial.candidate.canonical())
            said = what_it_shows(first, trial, self.ledger, desk.hardware)
        else:
            return
        desk.open.remove(trial)
        if said is not None:
            self.listener.note(f"{trial.rig}: {said}")

    def _fault(self, desk: Desk, trial: OpenTrial) -> Fault | None:
        own = self.ledger.failure(trial.memo.values(), desk.places)
        if own is not None or not self.relative or trial.is_baseline or trial.is_anchor:
            return own
        baseline = desk.baseline_of(trial.candidate)
        if baseline is None or baseline.fault is None:
            return None
        return because_of(baseline, desk.rig.name, baseline.fault)

    def _is_known(self, desk: Desk, trial: OpenTrial) -> bool:
        """Whether the trial can be told: its own facets, and where it matters its baseline's."""
        if not self.ledger.complete(trial.memo.values()):
            return False
        baseline = desk.baseline_of(trial.candidate)
        return not self.relative or trial.is_baseline or (baseline is not None and baseline.ended)

    def _fail(self, desk: Desk, trial: OpenTrial, fault: Fault) -> None:
        desk.open.remove(trial)
        if fault.flag != BASELINE_FAILED:  # then it was not this candidate that was tried
            desk.backstop.learn(trial.candidate, fault.diagnosis)
        self.records.failed(trial, fault)
        if trial.is_baseline:
            desk.baselines[trial.candidate.canonical()].fault = fault
        if trial.number is not None:
            tell_failure(self.space, desk, trial.number, fault)
            self.records.told(trial.row)
        self.failed += 1
        self._announce(
            TrialEnded(trial.rig, trial.number, trial.candidate, failure=fault.diagnosis)
        )

    def _complete(self, desk: Desk, trial: OpenTrial) -> None:
        desk.open.remove(trial)
        launch = desk.known.setdefault(trial.key, Launch(trial.row, trial.memo))
        # A baseline is always a result of its own: others refer to it by its name.
        same_as = None if trial.is_baseline or launch.row == trial.row else launch.row
        if same_as is None:
            self.records.completed(trial)
        else:
            self.records.replayed(trial, same_as)
        if trial.is_baseline:
            standing = desk.baselines[trial.candidate.canonical()]
            standing.memo, standing.ended = trial.memo, True
        known = known_of(self.space, desk, self.ledger, trial.candidate, trial.memo)
        desk.backstop.bound(trial.candidate, known.get("ctx_max"))
        if trial.number is not None:
            desk.search.tell(trial.number, verdict(self.space, desk.rig, trial.candidate, known))
            self.records.told(trial.row)
        if same_as is None and (point := point_of(self.space, known)) is not None:
            desk.add_point(group_of(self.space, trial.candidate), point)
        self.done += 1
        self._announce(
            TrialEnded(
                trial.rig,
                trial.number,
                trial.candidate,
                known,
                same_as=same_as,
                is_baseline=trial.is_baseline,
            ),
        )

    def _announce(self, ended: TrialEnded) -> None:
        ended_here = self.done + self.failed
        left = sum(max(0, one.budget) for one in self.desks.values() if not one.exhausted)
        per_trial = (time.monotonic() - self.began) / max(1, ended_here)
        self.listener.trial_ended(
            ended, Tally(self.done, self.failed, left, per_trial * left if ended_here > 1 else None)
        )


def known_of(
    space: Space, desk: Desk, ledger: Ledger, candidate: Candidate, memo: Mapping[Facet, str]
) -> dict[str, Estimate]:
    """Every estimate of a candidate, those that refer to its baseline included if goals do."""
    baseline = desk.baseline_of(candidate) if refers_to_baseline(space) else None
    return estimates_against(space, desk.rig, ledger, candidate, memo, baseline)


def tell_failure(space: Space, desk: Desk, number: int, fault: Fault) -> None:
    """A failure of the machinery is forgotten; any other is taught."""
    if fault.diagnosis.kind.is_infrastructure:
        desk.search.forget(number)
    else:
        desk.search.tell(number, failed(space, fault.diagnosis.evidence))
