"""Advice under limits: who is within them, what each excludes, and constraints of the space."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.analysis.advice import RigAdvice, advise
from orchestrator.analysis.feasible import contenders
from orchestrator.analysis.goals.base import Pick
from orchestrator.analysis.limits import Exclusion, Limit, max_ppl_delta, min_ctx, vram_headroom
from orchestrator.analysis.records import Measured, State
from search_spaces.candidate import Candidate
from tests.orchestrator.analysis.points import blurred
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_rig

RIG = make_rig("rig")
FREE = RIG.vram_mib


def record(trial: int, ctx: int = 4096, **values: float) -> Measured:
    made = blurred(trial, 0.01, Candidate(model="m", ctx=ctx), **values)
    return replace(made, hardware=RIG)


def advice(records: list[Measured], *limits: Limit, **fields: object) -> RigAdvice:
    (found,) = advise(records, make_space(**fields), limits)
    return found


def picked(found: RigAdvice) -> dict[str, int]:
    return {one.key: one.record.trial_id for one in found.answers if isinstance(one, Pick)}


def test_what_leaves_too_little_memory_is_excluded() -> None:
    records = [
        record(1, tok_s=9, ppl=9, mem_peak_mib=FREE - 1000),
        record(2, tok_s=8, ppl=9, mem_peak_mib=FREE - 1024),
    ]
    found = advice(records, vram_headroom("1GiB"))
    assert picked(found)["fastest"] == 2
    assert found.exclusions == (Exclusion("--vram-headroom 1GiB", 1, 1),)


def test_memory_that_was_not_measured_is_within_no_limit() -> None:
    assert advice([record(1, tok_s=9, ppl=9)], vram_headroom("1MiB")).able == 0


def test_a_short_context_is_excluded() -> None:
    records = [record(1, tok_s=9, ppl=9), record(2, 131072, tok_s=8, ppl=9)]
    assert picked(advice(records, min_ctx("128k")))["best"] == 2


def test_a_perplexity_that_rises_too_far_is_excluded() -> None:
    records = [
        record(1, tok_s=9, ppl=9, ppl_delta_pct=0.51),
        record(2, tok_s=8, ppl=9, ppl_delta_pct=0.5),
        record(3, tok_s=99, ppl=9),
    ]
    assert picked(advice(records, max_ppl_delta("0.5%")))["fastest"] == 2


def test_the_limit_that_excludes_most_comes_first() -> None:
    records = [record(n, tok_s=9, ppl=9, ppl_delta_pct=n / 2) for n in (1, 2, 3)]
    found = advice(records, max_ppl_delta("0.5%"), min_ctx("8k"))
    assert [(e.option, e.excluded, e.alone) for e in found.exclusions] == [
        ("--min-ctx 8k", 3, 1),
        ("--max-ppl-delta 0.5%", 2, 0),
    ]
    assert found.answers == ()


def test_contexts_compete_and_a_longer_one_is_worth_something() -> None:
    records = [record(1, tok_s=9, ppl=9), record(2, 131072, tok_s=8.9, ppl=9)]
    assert picked(advice(records))["longest"] == 2
    assert picked(advice(records))["fastest"] == 1


def test_failed_candidates_are_not_counted() -> None:
    failed = replace(record(1, tok_s=9, ppl=9), state=State.FAILED)
    assert advice([failed, record(2, tok_s=8, ppl=9)]).measured == 1


def test_a_constraint_that_asks_for_the_rigs_memory_is_a_limit() -> None:
    space = make_space(constraints=["mem_peak_mib <= rig.vram_mib * 0.5"])
    records = [
        record(1, tok_s=9, ppl=9, mem_peak_mib=FREE * 0.6),
        record(2, tok_s=8, ppl=9, mem_peak_mib=FREE * 0.4),
    ]
    assert [r.trial_id for r in contenders(records, space)] == [2]
    (found,) = advise(records, space, [])
    assert found.exclusions[0].option == "constraint mem_peak_mib <= rig.vram_mib * 0.5"
    assert picked(found)["fastest"] == 2
