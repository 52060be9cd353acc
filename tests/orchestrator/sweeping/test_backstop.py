"""A context that did not fit rules out longer ones, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.sweeping.backstop import Backstop
from search_spaces.candidate import Candidate
from workers.contract.failure import Diagnosis, FailureKind

OOM = Diagnosis(FailureKind.OUT_OF_MEMORY, "cudaMalloc failed: out of memory", "Less.", True, "kv")
CANDIDATE = Candidate(model="m.gguf", ctx=65_536)


def backstop(*failed: Candidate, why: Diagnosis = OOM) -> Backstop:
    made = Backstop()
    for candidate in failed:
        made.learn(candidate, why)
    return made


def test_a_longer_context_is_out_and_the_sentence_says_why() -> None:
    said = backstop(CANDIDATE).why_not(replace(CANDIDATE, ctx=131_072))
    assert said == "it ran out of memory at ctx 65536, so ctx 131072 is not tried"


def test_a_shorter_context_and_other_settings_may_still_fit() -> None:
    known = backstop(CANDIDATE)
    assert known.why_not(replace(CANDIDATE, ctx=32_768)) is None
    assert known.why_not(replace(CANDIDATE, ctx=131_072, kv_k="q4_0", kv_v="q4_0")) is None


def test_the_shortest_failure_counts() -> None:
    known = backstop(CANDIDATE, replace(CANDIDATE, ctx=16_384), CANDIDATE)
    assert known.why_not(replace(CANDIDATE, ctx=32_768)) is not None


def test_other_failures_say_nothing_about_memory() -> None:
    crash = replace(OOM, kind=FailureKind.ENGINE_CRASH)
    assert backstop(CANDIDATE, why=crash).why_not(replace(CANDIDATE, ctx=131_072)) is None
