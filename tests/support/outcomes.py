"""Hypothesis strategies for outcomes, and one ordinary outcome to start examples from."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from search_spaces.candidate import Candidate
from search_spaces.metrics import METRICS, Facet
from search_spaces.recipe import Recipe
from search_spaces.space import EngineRef
from workers.contract.failure import Diagnosis, FailureKind, Phase
from workers.contract.job import Job
from workers.contract.outcome import (
    Completed,
    Estimate,
    FacetResult,
    Failed,
    GateVerdict,
    JobTrace,
    LaunchRecord,
    Outcome,
    Sample,
    Series,
)
from workers.contract.reports import Build, Card, RigKind, RigReport
from workers.contract.resolved import ResolvedCandidate

SERIES = Series(("at_s", "mem_used_mib", "power_w"), ((0.0, 900.0, None), (0.1, 950.5, 310.2)))

# What a worker may send: any text but NULs and lone surrogates, which become U+FFFD.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
names = st.text("abcdefghijklmnopqrstuvwxyz_0123456789", min_size=1, max_size=12)
counts = st.integers(0, 2**31 - 1)
seconds = st.floats(0, 1e9)
# A broken engine may compute anything.
numbers = st.floats() | st.sampled_from([math.nan, math.inf, -math.inf])
settings_values = st.one_of(texts, st.booleans(), st.integers(), st.floats(-1e9, 1e9))

builds = st.builds(
    Build, role=st.sampled_from(["server", "logits"]), label=texts, sha256=names, path=texts
)
estimates = st.builds(
    Estimate,
    metric=st.sampled_from(sorted(METRICS)),
    value=numbers,
    low=st.none() | st.floats(allow_nan=False),
    high=st.none() | st.floats(allow_nan=False),
    n=st.integers(1, 10_000),
)
samples = st.builds(
    Sample,
    label=texts,
    values=st.dictionaries(names, numbers, max_size=4),
    launch=st.integers(0, 100),
    repeat=st.integers(0, 100),
    group=texts,
)
gates = st.builds(GateVerdict, gate=names, passed=st.booleans(), detail=texts, fatal=st.booleans())
launches = st.builds(
    LaunchRecord,
    argv=st.lists(texts, max_size=4).map(tuple),
    log_path=texts,
    pid=counts,
    start_s=seconds,
    pid_started=seconds,
)
traces = st.builds(
    JobTrace,
    launches=st.lists(launches, max_size=3).map(tuple),
    gates=st.lists(gates, max_size=3).map(tuple),
    effective=st.dictionaries(names, settings_values, max_size=3),
    start_s=seconds,
    facets_s=seconds,
    wall_s=seconds,
    telemetry=st.dictionaries(names, numbers, max_size=3),
    log_tail=texts,
)
diagnoses = st.builds(
    Diagnosis,
    kind=st.sampled_from(FailureKind),
    evidence=texts,
    advice=texts,
    deterministic=st.booleans(),
    detail=texts,
)


def facet_results(facet: Facet, memo_key: str) -> st.SearchStrategy[FacetResult]:
    """One facet measured, each metric once."""
    return st.builds(
        FacetResult,
        facet=st.just(facet),
        memo_key=st.just(memo_key),
        build=builds,
        estimates=st.lists(estimates, max_size=3, unique_by=lambda e: e.metric).map(tuple),
        samples=st.lists(samples, max_size=4).map(tuple),
        flags=st.lists(names, max_size=2).map(tuple),
    )


@st.composite
def outcomes(draw: st.DrawFn, job: Job) -> Outcome:
    """Any outcome that a job may have: some of its facets in any order, then the end."""
    facets = draw(st.permutations(job.facets))
    facets = facets[: draw(st.integers(0, len(facets)))]
    results = tuple(draw(facet_results(facet, job.memo[facet])) for facet in facets)
    trace = draw(traces)
    if draw(st.booleans()):
        return Completed(job.id, results, trace, draw(st.none() | names))
    return Failed(job.id, draw(diagnoses), draw(st.sampled_from(Phase)), results, trace)


RIG = RigReport(
    name="rtx5090",
    kind=RigKind.CUDA,
    host="tower",
    cpu_model="Ryzen 9",
    cores=16,
    threads=16,
    memory_mib=65_536,
    os="Linux",
    cards=(Card(0, "NVIDIA GeForce RTX 5090", "GPU-1", 32_607, power_limit_w=575.0),),
    driver="580.1",
)
BUILD = Build("server", "b11434", "5e" * 32, "/engines/llama-server")
CANDIDATE = Candidate(
    model="m.gguf", kv_k="q8_0", kv_v="q5_1", spec="draft-dflash", drafter="d.gguf", n_max=4
)


def make_job(
    id: str = "job-1",
    candidate: Candidate = CANDIDATE,
    facets: tuple[Facet, ...] = (Facet.THROUGHPUT, Facet.MEMORY),
    memo: dict[Facet, str] | None = None,
    attempt: int = 1,
) -> Job:
    """A job of a resolved candidate; its memo keys are made of its id unless given."""
    return Job(
        id=id,
        resolved=ResolvedCandidate(candidate, "engine-sha", "logits-sha", "model-sha", "d-sha"),
        engine=EngineRef(kind="embedded"),
        facets=facets,
        recipe=Recipe(),
        memo=memo if memo is not None else {facet: f"{id}:{facet}" for facet in facets},
        attempt=attempt,
        log_dir="logs",
    )


def make_samples(count: int = 24, tok_s: float = 60.0) -> tuple[Sample, ...]:
    """Requests of 128 tokens at one rate: four prompts, over and over, on two launches."""
    return tuple(
        Sample(
            label=f"prompt-{i % 4}",
            values={"predicted_n": 129.0, "predicted_ms": 128_000 / tok_s + i, "draft_n": 96.0},
            launch=i * 2 // count,
            repeat=i // 4,
            group="code",
        )
        for i in range(count)
    )


def make_result(
    job: Job,
    facet: Facet = Facet.THROUGHPUT,
    metric: str = "tok_s",
    value: float = 60.0,
    n: int = 4,
    samples: tuple[Sample, ...] = (),
    flags: tuple[str, ...] = (),
) -> FacetResult:
    """One facet of a job with one estimate."""
    estimate = Estimate(metric, value, value * 0.98, value * 1.02, n)
    return FacetResult(facet, job.memo[facet], BUILD, (estimate,), samples, flags)


def make_completed(job: Job, value: float = 60.0, n: int = 4, count: int = 24) -> Completed:
    """Everything that a throughput and memory job brings: samples, gates and a launch."""
    results = [make_result(job, value=value, n=n, samples=make_samples(count, value))]
    if Facet.MEMORY in job.facets:
        results.append(make_result(job, Facet.MEMORY, "mem_peak_mib", 9_000.0, n))
    trace = JobTrace(
        launches=(
            LaunchRecord(("llama-server", "-c", "4096"), "logs/1.log", 4242, 2.5, 1.7e9, SERIES),
        ),
        gates=(GateVerdict("lossless", True), GateVerdict("clocks", False, "throttled", False)),
        start_s=2.5,
        facets_s=40.0,
        wall_s=45.0,
        telemetry={"power_w": 410.0},
    )
    return Completed(job.id, tuple(results), trace)


def make_failed(
    job: Job,
    kind: FailureKind = FailureKind.OUT_OF_MEMORY,
    deterministic: bool = True,
    results: tuple[FacetResult, ...] = (),
) -> Failed:
    """A job that ended in a diagnosis."""
    diagnosis = Diagnosis(kind, "cudaMalloc failed", "Use a smaller context.", deterministic, "kv")
    return Failed(job.id, diagnosis, Phase.LOAD, results, JobTrace(log_tail="the last lines"))
