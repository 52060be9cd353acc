"""A pool that measures nothing: numbers from a surface, in the shape of real ones, at once.

For tests and benchmarks of everything around a measurement. It keeps count of what it was asked
to measure, loses workers on request, and refuses what no driver may do.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.sweeping.pools.base import Finished, lost
from search_spaces.candidate import Candidate
from search_spaces.metrics import Facet
from tests.support.scripted_programs import launches_of, programs
from tests.support.scripted_samples import chunk_samples, divergence_samples, throughput_samples
from tests.support.surfaces import OUT_OF_MEMORY, Surface, Truth, plain
from workers.contract.errors import OrchestrateError
from workers.contract.failure import Diagnosis, Phase
from workers.contract.job import Job
from workers.contract.outcome import (
    Completed,
    FacetResult,
    Failed,
    GateVerdict,
    JobTrace,
    LaunchRecord,
    Outcome,
    Sample,
)
from workers.contract.reports import Build, HostReport, RigReport
from workers.facets import estimates
from workers.survey import SurveyRequest

COMPUTE_MIB = 100.0  # what every launch reserves for its graphs


@dataclass(frozen=True)
class Run:
    """One job that reached a worker."""

    rig: str
    candidate: Candidate
    facets: tuple[Facet, ...]
    attempt: int
    to_beat: int


@dataclass(frozen=True)
class Fault:
    """A worker that is lost while it runs a job: which one, by what it runs and how often it did.

    `when` sees the job and how many jobs with the same first memo key came before it.
    """

    when: Callable[[Job, int], bool]
    why: str = "the actor was lost: SIGKILL"


class ScriptedPool:
    """Measures at once; `wait` hands out what has ended, in an order drawn from `seed`.

    Jobs that are `slow` are handed out only when there is nothing else to hand out.

    `measured` counts deliveries by what was measured: (facet, memo key) of texts, and (facet,
    launch, hardware) of a rig's facets, where the launch is what the engine really did.
    """

    def __init__(
        self,
        host: HostReport,
        surface: Surface = plain,
        *,
        faults: Sequence[Fault] = (),
        slow: Callable[[Job], bool] = lambda job: False,
        seed: int = 0,
        refuse: str | None = None,
    ) -> None:
        self._host = host
        self._surface = surface
        self._faults = tuple(faults)
        self._slow = slow
        self._rng = random.Random(seed)
        self._refuse = refuse
        self._rigs: dict[str, RigReport] = {}
        self._ended: list[tuple[Finished, Job]] = []
        self._begun: Counter[str] = Counter()
        self.runs: list[Run] = []
        self.jobs: list[Job] = []
        self.measured: Counter[tuple[str, ...]] = Counter()
        self.stopped = 0

    def survey(self, request: SurveyRequest) -> Sequence[HostReport]:
        """The one host."""
        return [self._host]

    def start(self, rigs: Mapping[str, RigReport]) -> None:
        """Takes the rigs, unless it was told to refuse."""
        if self._refuse is not None:
            raise OrchestrateError(self._refuse)
        self._rigs = dict(rigs)

    def submit(self, rig: str, job: Job) -> None:
        """Runs the job to its end. A busy rig, and a key in flight already, are mistakes."""
        assert rig in self._rigs, f"{rig} was not started"
        assert all(finished.rig != rig for finished, _ in self._ended), f"{rig} is busy"
        flying = {key for _, other in self._ended for key in other.memo.values()}
        assert not flying & set(job.memo.values()), "a measurement runs twice at once"
        first = min(job.memo.values())
        before = self._begun[first]
        self._begun[first] += 1
        candidate = job.resolved.candidate
        run = Run(rig, candidate, job.facets, job.attempt, len(job.stop.to_beat))
        self.runs.append(run)
        self.jobs.append(job)
        fault = next((fault for fault in self._faults if fault.when(job, before)), None)
        outcome = lost(job, fault.why) if fault else self._measure(self._rigs[rig], job)
        self._ended.append((Finished(rig, outcome), job))

    def wait(self, timeout_s: float) -> list[Finished]:
        """At least one job that ended, if any runs; which ones is up to chance."""
        ready = [entry for entry in self._ended if not self._slow(entry[1])] or self._ended
        picked = self._rng.sample(ready, min(len(ready), self._rng.randint(1, 2)))
        self._ended = [entry for entry in self._ended if entry not in picked]
        return [finished for finished, _ in picked]

    def stop(self) -> None:
        """Drops what still runs."""
        self.stopped += 1
        self._ended.clear()
        self._rigs.clear()

    def _measure(self, rig: RigReport, job: Job) -> Outcome:
        outcome = measure(rig, job, self._surface)
        if isinstance(outcome, Completed) and outcome.same_as is not None:
            return outcome
        launch = job.resolved.with_effective(dict(outcome.trace.effective)).key
        for result in outcome.results:
            if result.facet.belongs_to_rig:
                self.measured[result.facet, launch, rig.hardware_key] += 1
            else:
                self.measured[result.facet, result.memo_key] += 1
        return outcome


def measure(rig: RigReport, job: Job, surface: Surface) -> Outcome:
    """What a worker would bring, with the surface's numbers."""
    truth = surface(job.resolved.candidate, rig)
    texts = [facet for facet in job.facets if not facet.belongs_to_rig]
    served = [facet for facet in job.facets if facet.belongs_to_rig]
    results: list[FacetResult] = []
    if texts:
        if truth.text_failure is not None:
            return _failed(job, truth.text_failure, Phase.PERPLEXITY, results, JobTrace())
        results += [_text(job, facet, truth) for facet in texts]
    if not served:
        launches = launches_of(job) if Facet.QUALITY in texts else ()
        return Completed(job.id, tuple(results), JobTrace(launches, facets_s=1.0, wall_s=1.0))
    trace = _trace(job, truth)
    if Facet.CEILING in served:
        return _attempt(job, truth, trace)
    if truth.failure is not None:
        return _failed(job, truth.failure, Phase.LOAD, results, trace)
    resolved = job.resolved.with_effective(dict(truth.effective))
    if resolved.key in job.known_effective:
        return Completed(job.id, tuple(results), trace, same_as=resolved.key)
    samples, flags = throughput_samples(job, truth)
    results += [_served(job, facet, truth, samples, flags) for facet in served]
    return Completed(job.id, tuple(results), trace)


def _text(job: Job, facet: Facet, truth: Truth) -> FacetResult:
    if facet is Facet.QUALITY:
        return programs(job)
    perplexity = facet is Facet.PERPLEXITY
    samples = chunk_samples(job, truth) if perplexity else divergence_samples(job, truth)
    made = estimates.perplexity(samples) if perplexity else estimates.divergence(samples)
    build = Build("logits", "b11434", job.resolved.logits, "/engines/llama-perplexity")
    return FacetResult(facet, job.memo[facet], build, made, tuple(samples))


def _attempt(job: Job, truth: Truth, trace: JobTrace) -> Outcome:
    """One attempt at a context ceiling."""
    if job.resolved.candidate.ctx > truth.ceiling:
        return _failed(job, OUT_OF_MEMORY, Phase.MEASURE, [], trace)
    build = Build("server", "b11434", job.resolved.engine, "/engines/llama-server")
    result = FacetResult(Facet.CEILING, job.memo[Facet.CEILING], build, ())
    return Completed(job.id, (result,), trace)


def _served(
    job: Job, facet: Facet, truth: Truth, samples: list[Sample], flags: list[str]
) -> FacetResult:
    build = Build("server", "b11434", job.resolved.engine, "/engines/llama-server")
    if facet is Facet.THROUGHPUT:
        made = estimates.throughput(samples, job.stop, {})
        return FacetResult(facet, job.memo[facet], build, made, tuple(samples), tuple(flags))
    told = {} if truth.memory_mib is None else {"mem_peak_mib": truth.memory_mib}
    made = estimates.memory(told, job.mem_predicted_mib)
    return FacetResult(facet, job.memo[facet], build, made)


def _trace(job: Job, truth: Truth) -> JobTrace:
    launch = LaunchRecord(("llama-server", "-c", "4096"), f"{job.log_dir}/launch-0.log", 4242, 2.5)
    return JobTrace(
        launches=(launch,),
        gates=(GateVerdict("text_sane", True),),
        effective=dict(truth.effective),
        start_s=2.5,
        facets_s=40.0,
        wall_s=45.0,
        telemetry={"compute_mib.CUDA0": COMPUTE_MIB},
        log_tail="all slots are idle",
    )


def _failed(
    job: Job, why: Diagnosis, phase: Phase, results: list[FacetResult], trace: JobTrace
) -> Failed:
    return Failed(job.id, why, phase, tuple(results), trace)


def served_by(pool: ScriptedPool) -> list[Run]:
    """The jobs that measured speed."""
    return [run for run in pool.runs if Facet.THROUGHPUT in run.facets]
