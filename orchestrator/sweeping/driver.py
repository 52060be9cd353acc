"""The loop: ask, submit, wait, record, tell. Only this touches the study and the database."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from db.states import TrialRole
from orchestrator.sweeping import outcomes
from orchestrator.sweeping.desk import Desk
from orchestrator.sweeping.events import Listener
from orchestrator.sweeping.jobs import make_job
from orchestrator.sweeping.leases import Leases, need_of
from orchestrator.sweeping.ledger import Ledger
from orchestrator.sweeping.pools.base import Finished, Pool
from orchestrator.sweeping.records import Records
from orchestrator.sweeping.rules.registry import excluded
from orchestrator.sweeping.search import Proposal
from orchestrator.sweeping.seat import Seat
from orchestrator.sweeping.trial import OpenTrial, Standing
from search_spaces.metrics import Facet
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.walk import Assignment, baseline_assignment
from workers.contract.job import Job
from workers.contract.outcome import Failed

TICK_S = 0.5
OPEN_TRIALS = 4  # a rig whose trials all wait for other rigs goes on with further ones


@dataclass
class Driver:
    """One sweep in progress. `run` returns when the budget is spent or nothing is left.

    `desks` are by class of rigs: equal rigs have one desk, named after the first of them.
    """

    space: Space
    desks: dict[str, Desk]
    pool: Pool
    records: Records
    ledger: Ledger
    listener: Listener
    log_root: Path
    deadline: float | None = None
    stopping: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._jobs: dict[str, tuple[Seat, Job, OpenTrial, frozenset[str]]] = {}
        self._places = {s.name: (desk, s) for desk in self.desks.values() for s in desk.seats}
        self._leases = Leases()
        self.book = outcomes.Book(self.space, self.desks, self.records, self.ledger, self.listener)

    def run(self) -> None:
        """Works until every rig is done. Raises KeyboardInterrupt when told to stop."""
        while True:
            for name in self._leases.in_turn(self._places):
                desk, seat = self._places[name]
                if seat.able:
                    self._give_work(desk, seat)
            if self.stopping.is_set():
                for finished in self.pool.wait(0.0):  # what has just ended is not lost
                    self._enter(finished)
                raise KeyboardInterrupt
            if not self._jobs:
                return
            for finished in self.pool.wait(TICK_S):
                self._enter(finished)

    def _enter(self, finished: Finished) -> None:
        if self.stopping.is_set() and isinstance(finished.outcome, Failed):
            return  # a stop also reaches engines: that is no failure of a candidate
        seat, job, trial, keys = self._jobs.pop(finished.outcome.job_id)
        self._leases.give_back(seat.name)
        self.ledger.in_flight.difference_update(keys)
        trial.at = None
        desk, _ = self._places[seat.name]
        self.book.enter(desk, seat, job, trial, finished.outcome)

    def _give_work(self, desk: Desk, seat: Seat) -> None:
        """Starts the rig's next job, if there is one and its cards are free."""
        while not self.stopping.is_set():
            self.book.close()
            work = desk.next_work(self.ledger, seat)
            if work is not None:
                trial, facets = work
                if not self._leases.take(seat.name, need_of(seat.rig, facets)):
                    return
                job = self._job(desk, trial, facets)
                self.ledger.in_flight.update(facets.values())
                self.records.job_started(job, seat.rig)
                trial.at = seat.name
                self._jobs[job.id] = (seat, job, trial, frozenset(facets.values()))
                self.pool.submit(seat.name, job)
                self.listener.job_started(seat.name, job)
                return
            waiting = desk.waiting_for(seat)
            due = seat.anchors.due(at_end=not (waiting or self._may_ask(desk)))
            if due and self._open_anchor(desk, seat):
                continue
            if len(waiting) >= OPEN_TRIALS or not self._may_ask(desk):
                self._leases.forget(seat.name)
                return
            self._ask(desk)

    def _job(self, desk: Desk, trial: OpenTrial, facets: Mapping[Facet, str]) -> Job:
        if Facet.CEILING in facets:
            return self.book.ceilings.job(desk.ground, trial, self.log_root)
        return make_job(self.space, desk, self.ledger, trial, facets, self.log_root)

    def _may_ask(self, desk: Desk) -> bool:
        in_time = self.deadline is None or time.monotonic() < self.deadline
        return in_time and desk.may_ask

    def _ask(self, desk: Desk) -> None:
        """Opens the next trial, and first the baseline that it will be compared with."""
        proposal = desk.search.ask()
        if proposal is None:
            desk.exhausted = True
            return
        base = baseline_assignment(self.space, proposal.candidate)
        if candidate_of(base) != proposal.candidate:
            self.ask_baseline(desk, base)
        if desk.may_ask:
            self._open(desk, proposal)
        elif proposal.number is not None:  # the baseline took the last trial of the budget
            desk.search.forget(proposal.number)

    def ask_baseline(self, desk: Desk, base: Assignment) -> None:
        """Opens a baseline unless it is there already, or is out on this rig.

        One that the axes cannot express is measured all the same, outside of the study.
        """
        candidate = candidate_of(base)
        if candidate.canonical() in desk.baselines or excluded(desk.ground, candidate):
            return
        proposal = desk.search.ask_for(base) or Proposal(None, candidate, base)
        self._open(desk, proposal)

    def _open(self, desk: Desk, proposal: Proposal) -> None:
        candidate = proposal.candidate
        base = candidate_of(baseline_assignment(self.space, candidate))
        role = TrialRole.BASELINE if base == candidate else TrialRole.SEARCH
        resolved = desk.resolver.resolve(candidate)
        memo = desk.resolver.memo(resolved)
        self.records.learn(self.ledger, memo.values(), desk.hardware)
        trial = self.records.add(desk.rig.name, candidate, proposal.number, resolved, memo, role)
        if trial.is_baseline:
            desk.baselines[candidate.canonical()] = Standing(trial.row, candidate, trial.memo)
        desk.budget -= 1
        desk.open.append(trial)

    def _open_anchor(self, desk: Desk, seat: Seat) -> bool:
        """Opens the rig's next anchor; False where no baseline can be measured again."""
        first = seat.anchors.choose(desk.baselines.values())
        if first is None or excluded(desk.ground, first.candidate):
            return False
        resolved, memo = desk.resolver.resolve(first.candidate), seat.anchors.memo(first)
        trial = self.records.add(seat.name, first.candidate, None, resolved, memo, TrialRole.ANCHOR)
        seat.anchors.opened += 1
        seat.anchors.candidate = first.candidate
        desk.open.append(trial)
        return True
