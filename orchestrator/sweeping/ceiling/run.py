"""Looks for ceilings: attempt after attempt, each recorded before the next is decided."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from db.database import Database
from orchestrator.analysis.ceiling.attempt import Attempt
from orchestrator.analysis.ceiling.search import Search
from orchestrator.analysis.ceiling.verdict import Verdict, judge
from orchestrator.sweeping.ceiling.answer import with_answer
from orchestrator.sweeping.ceiling.earlier import attempts_of
from orchestrator.sweeping.ceiling.entry import Entry
from orchestrator.sweeping.leftovers import interrupted
from orchestrator.sweeping.outcomes import ATTEMPTS
from orchestrator.sweeping.pools.base import Pool
from orchestrator.sweeping.session import stopped_by_signals
from workers.contract.failure import Diagnosis
from workers.contract.outcome import Failed, Outcome

TICK_S = 0.5


@dataclass(frozen=True, slots=True)
class Tried:
    """An attempt that ended, for people. `left` launches may come yet, in about `eta_s`."""

    entry: Entry
    attempt: Attempt
    took_s: float
    left: int
    eta_s: float


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate's ceiling; `launches` were needed now, `known` attempts were there before.

    `problem` says why the search was given up before it was certain.
    """

    entry: Entry
    verdict: Verdict
    attempts: tuple[Attempt, ...]
    launches: int
    known: int
    problem: Diagnosis | None = None


@dataclass
class Ceilings:
    """The searches of some candidates, one launch at a time: what else runs takes memory too."""

    database: Database
    pool: Pool
    log_root: Path
    heard: Callable[[Tried], None] = lambda tried: None
    stopping: threading.Event = field(default_factory=threading.Event)

    def run(self, entries: Sequence[Entry]) -> list[Found]:
        """The ceilings, in order. Raises KeyboardInterrupt when stopped; attempts are kept.

        An entry without a launch to make touches no rig.
        """
        begun = [(entry, *self._earlier(entry)) for entry in entries]
        open_ = {e.rig: e.ground.rig for e, search, _ in begun if search.next() is not None}
        with stopped_by_signals(self.stopping):
            try:
                if open_:
                    self.pool.start(open_)
                return [self._look(entry, search, made) for entry, search, made in begun]
            finally:
                self.pool.stop()

    def _earlier(self, entry: Entry) -> tuple[Search, list[Attempt]]:
        """The search as far as it went before, whatever step it had then."""
        search, made = entry.search(), list[Attempt]()
        for ctx, outcome in attempts_of(self.database, entry.attempts):
            attempt = entry.attempt(outcome, ctx)
            if attempt is not None:
                search.learn(attempt)
                made.append(attempt)
        return search, made

    def _look(self, entry: Entry, search: Search, made: list[Attempt]) -> Found:
        known, began, problem = len(made), time.monotonic(), None
        lost: Counter[int] = Counter()
        while problem is None and (ctx := search.next()) is not None:
            started = time.monotonic()
            outcome = self._launch(entry, ctx, len(made) + lost.total() + 1, search)
            attempt = entry.attempt(outcome, ctx)
            if attempt is None:
                lost[ctx] += 1
                assert isinstance(outcome, Failed), "only a failure may say nothing"
                problem = outcome.diagnosis if lost[ctx] >= ATTEMPTS else None
                continue
            made.append(attempt)
            each = (time.monotonic() - began) / (len(made) - known)
            left, took = search.most_left, time.monotonic() - started
            self.heard(Tried(entry, attempt, took, left, each * left))
        verdict = judge(search, entry.model_limit)
        return Found(entry, verdict, tuple(made), len(made) - known, known, problem)

    def _launch(self, entry: Entry, ctx: int, number: int, search: Search) -> Outcome:
        """One attempt, taught to the search and recorded, with the answer if that is now known."""
        job = entry.job(ctx, number, self.log_root)
        self.database.jobs.start(job, entry.ground.rig)
        try:
            self.pool.submit(entry.rig, job)
            outcome = self._wait()
        except BaseException:
            self.pool.stop()
            self.database.jobs.record(interrupted(job.id))
            raise
        attempt = entry.attempt(outcome, ctx)
        if attempt is not None:
            search.learn(attempt)
        self.database.jobs.record(with_answer(entry, search, outcome))
        return outcome

    def _wait(self) -> Outcome:
        while True:
            ended = self.pool.wait(TICK_S)
            if self.stopping.is_set():  # a stop also reaches engines: that is no failure of one
                raise KeyboardInterrupt
            if ended:
                return ended[0].outcome
