"""The ceilings that a sweep looks for: the next attempt of each, and what its outcome means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from orchestrator.analysis.ceiling.search import Search
from orchestrator.sweeping.ceiling.answer import with_answer
from orchestrator.sweeping.ceiling.entry import Entry, make_entry
from orchestrator.sweeping.rules.base import Ground
from orchestrator.sweeping.trial import OpenTrial
from search_spaces.metrics import Facet
from workers.contract.job import Job
from workers.contract.outcome import Outcome

Earlier = Callable[[str], Sequence[tuple[int, Outcome]]]
"""Context and outcome of every attempt that is recorded under a key."""


@dataclass
class CeilingBook:
    """Searches by the key of their answer. Trials that differ in their context share one."""

    earlier: Earlier
    _searches: dict[str, tuple[Entry, Search]] = field(default_factory=dict)

    def job(self, ground: Ground, trial: OpenTrial, log_root: Path) -> Job:
        """The next attempt. A search that is certain already repeats its answer's context."""
        entry, search = self._of(ground, trial)
        number = 1 + sum(map(len, search.seen.values()))
        ctx = search.next() or entry.grid.ctx(max(1, search.low))
        return entry.job(ctx, number, log_root)

    def entered(self, trial: OpenTrial, job: Job, outcome: Outcome) -> tuple[Outcome, bool]:
        """The outcome, with the answer if that is certain now; and whether it is an attempt."""
        entry, search = self._searches[trial.memo[Facet.CEILING]]
        attempt = entry.attempt(outcome, job.resolved.candidate.ctx)
        if attempt is None:
            return outcome, False
        search.learn(attempt)
        return with_answer(entry, search, outcome), True

    def is_over(self, trial: OpenTrial) -> bool:
        """Whether nothing is left to try."""
        _, search = self._searches[trial.memo[Facet.CEILING]]
        return search.next() is None

    def _of(self, ground: Ground, trial: OpenTrial) -> tuple[Entry, Search]:
        key = trial.memo[Facet.CEILING]
        if key not in self._searches:
            entry = make_entry(ground, trial.candidate)
            search = entry.search()
            for ctx, outcome in self.earlier(entry.attempts):
                attempt = entry.attempt(outcome, ctx)
                if attempt is not None:
                    search.learn(attempt)
            self._searches[key] = entry, search
        return self._searches[key]
