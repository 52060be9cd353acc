"""Runs a verification: fresh launches in its order, recorded, then judged claim by claim."""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from db.database import Database
from db.rows import Driver
from db.verification_rows import ClaimRow, RunRow
from orchestrator.analysis.records import Measured
from orchestrator.analysis.verification.judge import judge
from orchestrator.sweeping.jobs import fresh_job
from orchestrator.sweeping.leftovers import interrupted, reap_engines
from orchestrator.sweeping.outcomes import ATTEMPTS
from orchestrator.sweeping.pools.base import Pool
from orchestrator.sweeping.session import is_alive, stopped_by_signals, this_driver
from orchestrator.sweeping.verifying.fresh import fresh_record
from orchestrator.sweeping.verifying.plan import Verification
from workers.contract.failure import Diagnosis
from workers.contract.job import Job
from workers.contract.outcome import Completed, FacetResult, Failed, Outcome

TICK_S = 0.5


@dataclass(frozen=True, slots=True)
class Ran:
    """A launch that ended, for people: of how many it was, and about how long the rest takes."""

    run: RunRow
    record: Measured
    outcome: Outcome
    done: int
    total: int
    eta_s: float


@dataclass
class Verifier:
    """One verification in progress. The sweep's own rows are only read."""

    plan: Verification
    database: Database
    pool: Pool
    log_root: Path
    heard: Callable[[Ran], None] = lambda ran: None
    stopping: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._queues: dict[str, deque[RunRow]] = {rig: deque() for rig in self.plan.rigs}
        for run in self.plan.runs:
            self._queues[run.rig].append(run)
        self._flying: dict[str, tuple[RunRow, Job]] = {}
        self._tried: Counter[tuple[str, int]] = Counter()
        self._results: dict[int, list[Sequence[FacetResult]]] = defaultdict(list)
        self._failures: dict[int, Diagnosis] = {}
        self._done = 0
        self._began = time.monotonic()

    def run(self, first: Sequence[Measured], members: Collection[int]) -> tuple[ClaimRow, ...]:
        """Measures, judges and stores. Raises KeyboardInterrupt when stopped.

        A verification that was stopped says nothing, and is begun anew by the next one: runs that
        are hours apart would not be interleaved.
        """
        me, plan = this_driver(), self.plan
        tidy(self.database, self.log_root, me)
        number = self.database.verifications.start(
            plan.sweep.id, me, plan.seed, plan.launches, plan.runs
        )
        try:
            with stopped_by_signals(self.stopping):
                self.pool.start(plan.rigs)
                self._work(number)
        except BaseException:
            self.pool.stop()
            for job_id in self._flying:
                self.database.jobs.record(interrupted(job_id))
            self.database.verifications.interrupt(number)
            raise
        self.pool.stop()
        fresh = [
            fresh_record(entry.record, self._results[trial], self._failures.get(trial))
            for trial, entry in plan.entries.items()
        ]
        claims = judge(first, fresh, members, plan.sweep.space)
        self.database.verifications.finish(number, claims)
        return claims

    def _work(self, number: int) -> None:
        while True:
            busy = {run.rig for run, _ in self._flying.values()}
            for rig, queue in self._queues.items():
                if queue and rig not in busy:
                    self._submit(number, queue.popleft())
            if not self._flying:
                return
            for finished in self.pool.wait(TICK_S):
                self._enter(finished.outcome)
            if self.stopping.is_set():
                raise KeyboardInterrupt

    def _submit(self, number: int, run: RunRow) -> None:
        entry, rig = self.plan.entries[run.trial_id], self.plan.rigs[run.rig]
        tried = self._tried[run.rig, run.position]
        space = self.plan.sweep.space
        job = fresh_job(space, entry.resolved, run.memo, 1, self.log_root, tried + 1)
        self.database.jobs.start(job, rig)
        self.database.verifications.begin(number, run, job.id)
        self._flying[job.id] = (run, job)
        self.pool.submit(run.rig, job)

    def _enter(self, outcome: Outcome) -> None:
        if self.stopping.is_set() and isinstance(outcome, Failed):
            return  # a stop also reaches engines: the job stays in flight, and is told so
        run, _ = self._flying.pop(outcome.job_id)
        self.database.jobs.record(outcome)
        if isinstance(outcome, Completed):
            self._results[run.trial_id].append(outcome.results)
        elif self._tries_again(run, outcome.diagnosis):
            self._queues[run.rig].appendleft(run)
            return
        else:
            self._give_up(run, outcome.diagnosis)
        self._done += 1
        self._tell(run, outcome)

    def _tries_again(self, run: RunRow, why: Diagnosis) -> bool:
        self._tried[run.rig, run.position] += 1
        may_pass = why.kind.is_infrastructure or not why.deterministic
        return may_pass and self._tried[run.rig, run.position] < ATTEMPTS

    def _give_up(self, run: RunRow, why: Diagnosis) -> None:
        """What cannot be launched again has lost its claims; its other runs are left out."""
        self._failures[run.trial_id] = why
        queue = self._queues[run.rig]
        self._queues[run.rig] = deque(other for other in queue if other.trial_id != run.trial_id)

    def _tell(self, run: RunRow, outcome: Outcome) -> None:
        left = sum(map(len, self._queues.values())) + len(self._flying)
        each = (time.monotonic() - self._began) / self._done
        record = self.plan.entries[run.trial_id].record
        self.heard(Ran(run, record, outcome, self._done, self._done + left, each * left))


def tidy(database: Database, log_root: Path, me: Driver) -> None:
    """Ends what verifications whose process is gone have left: engines, jobs, and themselves."""
    reap_engines(database, log_root, me, is_alive)
    for row in database.verifications.running():
        if is_alive(row.driver):
            continue
        for run in row.runs:
            if run.job_id is not None:
                database.jobs.record(interrupted(run.job_id))
        database.verifications.interrupt(row.id)
