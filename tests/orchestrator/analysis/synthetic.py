"""A made-up sweep of the demo space, with raw samples: for tests of analysis and pages only.

The numbers follow simple rules (speculation pays or not, small KV types lose quality), so that
tests can say what must come out. Nothing here was measured.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

from benchmarks.simulated_rigs import TOKENS, Protocol, measure, prompt_times
from orchestrator.analysis.records import Measured, Role, State
from search_spaces.candidate import Candidate
from search_spaces.load import load
from search_spaces.space import Space
from search_spaces.walk import baseline_of, candidates
from workers.contract.failure import Diagnosis, FailureKind
from workers.contract.outcome import Estimate, Sample
from workers.contract.reports import RigKind
from workers.statistics.chunks import perplexity
from workers.statistics.rate import estimates

SPEED = {"Q4_1": 1.0, "Q8_0": 0.78, "Q2_K": 1.12}
PPL = {"Q4_1": 23.18, "Q8_0": 21.9, "Q2_K": 33.0}
KV_SPEED = {"f16/f16": 1.0, "q8_0/q8_0": 0.96, "q8_0/q5_1": 0.92, "q4_0/q4_0": 0.94}
KV_LOSS = {"f16/f16": 0.0, "q8_0/q8_0": 0.0001, "q8_0/q5_1": 0.0013, "q4_0/q4_0": 0.045}
BROKEN = Diagnosis(
    FailureKind.OUT_OF_MEMORY, "cudaMalloc failed: out of memory", "Lower ctx.", True
)


def space() -> Space:
    """The demo space."""
    return load("kv_dflash")


def quant(candidate: Candidate) -> str:
    """The weight quant of the demo's target."""
    return candidate.model.rsplit("-", 1)[-1]


def true_rate(candidate: Candidate, base: float, gain: float) -> float:
    """tok/s: `gain` > 0 makes speculation pay, most at n_max 3."""
    rate = base * SPEED[quant(candidate)] * KV_SPEED[candidate.kv]
    if candidate.drafts:
        n = candidate.n_max or 1
        rate *= 1.0 + gain * (1.0 - ((n - 3) / 6.0) ** 2) - 0.02 * n
    return rate


def accepted_share(candidate: Candidate) -> float:
    """Share of drafted tokens that are accepted; longer drafts fare worse."""
    return 0.72 * 0.86 ** ((candidate.n_max or 1) - 1)


def throughput(rng: Generator, candidate: Candidate, rate: float, how: Protocol) -> list[Sample]:
    """Raw samples with drafting counts; prompts are the same for every candidate."""
    times = prompt_times(np.random.default_rng(99), how.prompts, rate)
    made = []
    for sample in measure(rng, times, how):
        ms = sample.values["predicted_ms"]
        drafted = TOKENS * 1.5 if candidate.drafts else 0.0
        values = {
            **sample.values,
            "prompt_n": 40.0,
            "prompt_ms": ms / 20,
            "ttft_ms": ms / 18,
            "wall_ms": ms * 1.06,
            "draft_n": drafted,
            "draft_n_accepted": round(drafted * accepted_share(candidate)),
        }
        made.append(Sample(sample.label, values, sample.launch, sample.repeat, "coding"))
    return made


def text_chunks(candidate: Candidate, count: int = 8, tokens: float = 256.0) -> list[Sample]:
    """Per-chunk nll: the text's part is common to all, each K/V pair adds its own."""
    text = np.random.default_rng(5).normal(0, 0.25, count)
    own = np.random.default_rng([ord(c) for c in candidate.kv + quant(candidate)])
    noise = own.normal(0, 1, count) * (0.0002 + 0.2 * KV_LOSS[candidate.kv])
    nll = math.log(PPL[quant(candidate)]) + text + KV_LOSS[candidate.kv] + noise
    return [Sample(str(i), {"nll": float(n) * tokens, "tokens": tokens}) for i, n in enumerate(nll)]


def sweep(
    rig: str = "cpu",
    *,
    base: float = 74.0,
    gain: float = -0.3,
    how: Protocol | None = None,
    seed: int = 1,
    first_id: int = 1,
) -> list[Measured]:
    """All 96 candidates of the demo space on one rig; three failed and two ruled out."""
    how = how or Protocol(prompts=6, launch_sd=0.006, pass_sd=0.02)
    rng, demo, records = np.random.default_rng(seed), space(), []
    kind = RigKind.CPU if rig.startswith("cpu") else RigKind.CUDA
    for number, (candidate, _) in enumerate(candidates(demo)):
        common = Measured(
            trial_id=first_id + number,
            number=number,
            rig=rig,
            candidate=candidate,
            rig_kind=kind,
            engine_label="llama.cpp b11434",
            role=Role.BASELINE if baseline_of(demo, candidate) == candidate else Role.SEARCH,
        )
        records.append(_filled(rng, common, base, gain, how))
    return records


def _filled(rng: Generator, record: Measured, base: float, gain: float, how: Protocol) -> Measured:
    from dataclasses import replace

    c = record.candidate
    if quant(c) == "Q8_0" and c.kv == "q4_0/q4_0" and (c.n_max or 0) >= 5:
        return replace(record, state=State.FAILED, failure=BROKEN)
    if quant(c) == "Q2_K" and c.kv == "q4_0/q4_0" and (c.n_max or 0) >= 6:
        return replace(record, state=State.INFEASIBLE, reason="memory: needs 24.1 of 23.9 GiB")
    samples = throughput(rng, c, true_rate(c, base, gain), how)
    chunks = text_chunks(c)
    memory = Estimate("mem_peak_mib", 420.0 + 40 * c.drafts, n=1)
    made = (*estimates(samples), perplexity(chunks), memory)
    return replace(
        record,
        estimates={one.metric: one for one in made},
        throughput=tuple(samples),
        chunks=tuple(chunks),
        argv=("llama-server", "-m", f"/models/{quant(c)}.gguf", "-c", str(c.ctx)),
    )
