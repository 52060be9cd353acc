"""What a made-up rig would measure of a candidate: simple rules that tests can reason about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from search_spaces.candidate import Candidate, Value
from workers.contract.failure import Diagnosis, FailureKind
from workers.contract.reports import RigReport


@dataclass(frozen=True)
class Truth:
    """The numbers behind the noise, or why there are none.

    `failure` ends jobs of the rig's facets, `text_failure` those of perplexity. `effective` is
    what the engine does in place of what was asked. `acceptance` None: nothing was drafted.
    Above `ceiling` tokens a full context runs out of memory.
    """

    tok_s: float
    ppl: float
    acceptance: float | None = None
    memory_mib: float | None = 4_000.0
    failure: Diagnosis | None = None
    text_failure: Diagnosis | None = None
    effective: Mapping[str, Value] = field(default_factory=dict)
    ceiling: int = 10**9


Surface = Callable[[Candidate, RigReport], Truth]

OUT_OF_MEMORY = Diagnosis(
    FailureKind.OUT_OF_MEMORY, "cudaMalloc failed: out of memory", "Use a smaller ctx.", True, "kv"
)
CRASH = Diagnosis(FailureKind.ENGINE_CRASH, "signal 11", "Read its log.", deterministic=False)

KV_LOSS = {"f16": 0.0, "q8_0": 0.002, "q5_1": 0.02, "q4_0": 0.08}


def plain(candidate: Candidate, rig: RigReport) -> Truth:
    """Drafting pays most at 4 tokens, smaller KV types cost quality, and `big` models are slow."""
    rate = 40.0 if "big" in candidate.model else 60.0
    if candidate.drafts:
        rate *= 1.8 - 0.05 * abs((candidate.n_max or 1) - 4)
    loss = KV_LOSS[candidate.kv_k] + KV_LOSS[candidate.kv_v]
    ppl = (8.0 if "big" in candidate.model else 10.0) * (1.0 + loss)
    accepted = 0.9 - 0.05 * (candidate.n_max or 1) if candidate.drafts else None
    return Truth(rate, ppl, accepted)


def failing(
    when: Callable[[Candidate, RigReport], bool],
    why: Diagnosis = OUT_OF_MEMORY,
    surface: Surface = plain,
    *,
    text: bool = False,
) -> Surface:
    """The surface with a failure by rule: of the rig's facets, or of the text facets."""

    def look(candidate: Candidate, rig: RigReport) -> Truth:
        truth = surface(candidate, rig)
        if not when(candidate, rig):
            return truth
        return replace(truth, text_failure=why) if text else replace(truth, failure=why)

    return look


def redirecting(
    when: Callable[[Candidate], bool], effective: Mapping[str, Value], surface: Surface = plain
) -> Surface:
    """The surface of an engine that quietly does something else than some candidates ask."""

    def look(candidate: Candidate, rig: RigReport) -> Truth:
        if not when(candidate):
            return surface(candidate, rig)
        done = replace(candidate, **effective)  # type: ignore[arg-type]
        return replace(surface(done, rig), effective=dict(effective))

    return look
