"""Ceilings looked for with launches: recorded, taken up again, and time-limited."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from db.database import Database, open_database
from orchestrator.analysis.ceiling.verdict import Limit
from orchestrator.sweeping.ceiling.entry import Entry, NoCeilingError, make_entry
from orchestrator.sweeping.ceiling.run import Ceilings, Found, Tried
from orchestrator.sweeping.pools.base import Finished
from orchestrator.sweeping.rules.base import Ground
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from search_spaces.parameters import candidate_of
from search_spaces.recipe import CeilingRecipe
from search_spaces.walk import assignments
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_host
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.job import Job
from workers.contract.outcome import Completed, Failed, Outcome
from workers.contract.reports import HostReport, RigReport
from workers.survey import SurveyRequest

TRAINED = 32_768  # of the models of these hosts


def at_most(limit: int, kind: FailureKind, evidence: str = "said so") -> Callable[[Job], Outcome]:
    """Every launch above a context fails in this way."""

    def run(job: Job) -> Outcome:
        if job.resolved.candidate.ctx <= limit:
            return Completed(job.id, ())
        return Failed(job.id, Diagnosis(kind, evidence, "Do this.", False), Phase.LOAD)

    return run


@dataclass
class Machine:
    """A pool whose launches end as told; `stopping` is set at the `stop_at`-th."""

    ends: Callable[[Job], Outcome]
    stop_at: int = 0
    stopping: threading.Event = field(default_factory=threading.Event)
    tried: list[int] = field(default_factory=list)
    started: int = 0
    jobs: list[Job] = field(default_factory=list)

    def survey(self, request: SurveyRequest) -> Sequence[HostReport]:
        """Not asked here."""
        raise NotImplementedError

    def start(self, rigs: Mapping[str, RigReport]) -> None:
        """Counts."""
        self.started += 1

    def submit(self, rig: str, job: Job) -> None:
        """Keeps what was asked for."""
        self.jobs.append(job)
        self.tried.append(job.resolved.candidate.ctx)
        if len(self.tried) == self.stop_at:
            self.stopping.set()

    def wait(self, timeout_s: float) -> list[Finished]:
        """The job that was submitted last."""
        return [Finished("rtx", self.ends(self.jobs[-1]))]

    def stop(self) -> None:
        """Nothing runs."""


def entry(**how: int) -> Entry:
    """The first candidate of the usual space, with a recipe of its own for ceilings."""
    space = make_space()
    measure = space.measure.model_copy(update={"ceiling": CeilingRecipe(**how)})
    space = space.model_copy(update={"measure": measure})
    host = make_host(space)
    return make_entry(Ground(space, host.rigs[0], host), candidate_of(next(assignments(space))))


def look(
    database: Database, machine: Machine, one: Entry, heard: list[Tried] | None = None
) -> Found:
    """The ceiling of one entry."""
    tell = (heard if heard is not None else []).append
    ceilings = Ceilings(database, machine, Path("logs"), tell, machine.stopping)
    return ceilings.run([one])[0]


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """An empty one."""
    return open_database(str(tmp_path / "c.db"))


def test_the_longest_context_of_the_model_is_the_limit(database: Database) -> None:
    found = look(database, Machine(at_most(10**9, FailureKind.OUT_OF_MEMORY)), entry())
    assert (found.verdict.limit, found.verdict.ctx_max) == (Limit.MODEL, TRAINED)


def test_what_is_asked_for_at_most_is_said_to_be_the_limit(database: Database) -> None:
    found = look(database, Machine(at_most(10**9, FailureKind.GATE)), entry(most=4096))
    assert (found.verdict.limit, found.verdict.ctx_max) == (Limit.ASKED, 4096)


def test_memory_that_ends_is_told_with_its_line(database: Database) -> None:
    machine = Machine(at_most(20_000, FailureKind.OUT_OF_MEMORY, "cudaMalloc failed"))
    verdict = look(database, machine, entry()).verdict
    assert (verdict.limit, verdict.ctx_max, verdict.above) == (Limit.MEMORY, 19_456, 20_480)
    assert verdict.failure is not None and verdict.failure.evidence == "cudaMalloc failed"


def test_a_hang_is_an_attempt(database: Database) -> None:
    machine = Machine(at_most(20_000, FailureKind.TIMEOUT_HANG))
    verdict = look(database, machine, entry()).verdict
    assert (verdict.limit, verdict.ctx_max, verdict.tries) == (Limit.ENGINE, 19_456, 3)


def test_the_same_search_again_launches_nothing(database: Database) -> None:
    first = look(database, Machine(at_most(20_000, FailureKind.OUT_OF_MEMORY)), entry())
    machine = Machine(at_most(0, FailureKind.ENGINE_CRASH))
    again = look(database, machine, entry())
    assert (machine.started, again.launches, again.known) == (0, 0, first.launches)
    assert again.verdict == first.verdict


def test_a_finer_step_goes_on_from_what_is_known(database: Database) -> None:
    ends = at_most(20_000, FailureKind.OUT_OF_MEMORY)
    coarse = look(database, Machine(ends), entry(step=4096))
    fine = look(database, Machine(ends), entry(step=512))
    assert (coarse.verdict.ctx_max, fine.verdict.ctx_max) == (16_384, 19_968)
    assert fine.known == coarse.launches


def test_a_stopped_search_keeps_its_attempts(database: Database) -> None:
    ends = at_most(20_000, FailureKind.OUT_OF_MEMORY)
    machine = Machine(ends, stop_at=3)
    with pytest.raises(KeyboardInterrupt):
        look(database, machine, entry())
    assert not database.jobs.running()
    assert look(database, Machine(ends), entry()).known == 2


def test_a_lost_worker_is_no_attempt_and_ends_the_search_the_second_time(
    database: Database,
) -> None:
    found = look(database, Machine(at_most(0, FailureKind.WORKER_LOST)), entry())
    assert found.problem is not None and found.launches == 0
    assert not found.verdict.finished


def test_the_answer_is_stored_as_a_measurement(database: Database) -> None:
    one = entry()
    look(database, Machine(at_most(20_000, FailureKind.OUT_OF_MEMORY)), one)
    stored = database.memo.estimates_for([one.key])[one.key]
    assert [(row.estimate.metric, row.estimate.value) for row in stored] == [("ctx_max", 19_456)]


def test_an_engine_that_cannot_read_the_drafter_is_asked_once(database: Database) -> None:
    said = "wrong number of tensors; expected 81, got 58"
    machine = Machine(at_most(0, FailureKind.MODEL_INCOMPATIBLE, said))
    verdict = look(database, machine, entry()).verdict
    assert (verdict.limit, len(machine.tried)) == (Limit.UNRELATED, 1)
    assert verdict.failure is not None and verdict.failure.evidence == said


def test_an_attempt_is_one_launch_with_near_full_requests() -> None:
    job = entry(requests=2, predict=16, limit_s=60).job(4096, 1, Path("logs"))
    assert (job.facets, job.deep, job.resolved.candidate.ctx) == ((Facet.CEILING,), True, 4096)
    assert job.recipe.throughput.launches == 1
    assert job.recipe.depth.tokens(4096) == {"near-full": 4096 - 16 - 1}
    assert (job.recipe.depth.passes, job.recipe.depth.limit_s) == (2, 60)


def test_the_key_does_not_know_the_context() -> None:
    space = make_space()
    host = make_host(space)
    ground = Ground(space, host.rigs[0], host)
    candidate = candidate_of(next(assignments(space)))
    keys = {make_entry(ground, replace(candidate, ctx=ctx)).attempts for ctx in (1024, 8192)}
    assert len(keys) == 1


def test_a_candidate_that_runs_nowhere_is_refused() -> None:
    space = make_space()
    host = make_host(space, missing=[candidate_of(next(assignments(space))).engine])
    candidate: Candidate = candidate_of(next(assignments(space)))
    with pytest.raises(NoCeilingError, match="cannot run there at all"):
        make_entry(Ground(space, host.rigs[0], host), candidate)


def test_people_hear_of_every_attempt(database: Database) -> None:
    heard: list[Tried] = []
    found = look(database, Machine(at_most(20_000, FailureKind.OUT_OF_MEMORY)), entry(), heard)
    assert len(heard) == found.launches
    assert heard[-1].left == 0 and heard[0].left > 0
