"""Our driver on the fleet: the real session, search, studies and records on an SQLite file."""

from __future__ import annotations

import time
from collections import defaultdict

from benchmarks.search.card_24gb import SPACE as WHOLE
from benchmarks.side_by_side.fleet import (
    ENDLESS,
    FAILURE_S,
    KINDS,
    RIGS,
    SPEED_S,
    TEXT_S,
    Book,
    Entry,
    dies,
    exact,
    lasts,
    noisy,
)
from db.database import open_database
from orchestrator.sweeping.events import Silent
from orchestrator.sweeping.plan import make_plan
from orchestrator.sweeping.pools.base import Finished
from orchestrator.sweeping.session import Session
from search_spaces.candidate import Candidate
from search_spaces.metrics import Direction, Facet
from search_spaces.space import Budget
from tests.support.hosts import make_host, make_rig
from tests.support.scripted_pool import Fault, ScriptedPool
from tests.support.surfaces import OUT_OF_MEMORY, Truth
from workers.contract.job import Job
from workers.contract.outcome import Failed
from workers.contract.reports import HostReport, RigReport

SPACE = WHOLE.model_copy(
    update={"objectives": {"tok_s": Direction.MAXIMIZE, "ppl": Direction.MINIMIZE}}
)


class TimedPool(ScriptedPool):
    """Jobs take their time, by the clock on the wall, and are noted when they end."""

    def __init__(self, host: HostReport, book: Book) -> None:
        def surface(candidate: Candidate, rig: RigReport) -> Truth:
            values = noisy(candidate, rig.name, book.seed)
            if values is not None:
                return Truth(*values)
            anywhere = exact(candidate, ENDLESS)  # its perplexity is known all the same
            assert anywhere is not None
            return Truth(*anywhere, failure=OUT_OF_MEMORY)

        def strikes(job: Job, before: int) -> bool:
            return dies(job.resolved.candidate, book.seed) and book.strikes(job.resolved.candidate)

        super().__init__(host, surface, faults=[Fault(strikes)])
        self._book, self._ends = book, dict[str, tuple[float, Entry]]()
        self._keys: dict[tuple[str, Candidate], set[str]] = defaultdict(set)

    def submit(self, rig: str, job: Job) -> None:
        """Begins now."""
        super().submit(rig, job)
        candidate, outcome = job.resolved.candidate, self._ended[-1][0].outcome
        served = any(facet.belongs_to_rig for facet in job.facets)
        text = any(not facet.belongs_to_rig for facet in job.facets)
        died = isinstance(outcome, Failed) and not outcome.diagnosis.deterministic
        values = noisy(candidate, rig, self._book.seed) if served and not died else None
        takes = SPEED_S * served + TEXT_S * text
        if served and values is None and not died:
            takes = FAILURE_S
        begin = time.time()
        end = begin + lasts(takes, candidate, rig) / (2 if died else 1)
        again = values is not None and self._is_anchor(rig, job)
        entry = Entry(rig, candidate.as_dict(), begin, end, values, died, not served, again)
        self._ends[rig] = end, entry

    def _is_anchor(self, rig: str, job: Job) -> bool:
        """Whether a known speed is measured again on a key of its own, which means on purpose."""
        known = self._keys[KINDS[rig], job.resolved.candidate]
        key = job.memo[Facet.THROUGHPUT]
        again = bool(known) and key not in known
        known.add(key)
        return again

    def wait(self, timeout_s: float) -> list[Finished]:
        """Those that have ended, at the latest after `timeout_s`."""
        if not self._ended:
            return []
        first = min(self._ends[finished.rig][0] for finished, _ in self._ended)
        time.sleep(max(0.0, min(first - time.time(), timeout_s)))
        now = time.time()
        done = [entry for entry in self._ended if self._ends[entry[0].rig][0] <= now]
        self._ended = [entry for entry in self._ended if entry not in done]
        for finished, _ in done:
            self._book.note(self._ends[finished.rig][1])
        return [finished for finished, _ in done]


def run(book: Book, trials: int) -> None:
    """A sweep with so many trials for each rig; equal rigs share theirs."""
    shared = trials * len(RIGS) // len(set(KINDS.values()))
    space = SPACE.model_copy(update={"budget": Budget(trials=shared)})
    fleet = [make_rig(name, card=KINDS[name]) for name in RIGS]
    host = make_host(space, fleet, block_size=None)
    plan = make_plan(space, host, fleet)
    with open_database(str(book.folder / "sweep.db")) as database:
        Session(plan, database, TimedPool(host, book), Silent(), book.folder / "logs").run()
