"""Numbers that refer to a baseline."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from orchestrator.analysis.derive import derive
from orchestrator.analysis.records import Measured
from tests.orchestrator.analysis.synthetic import KV_LOSS, space, sweep
from workers.statistics.rate import relative_half_width

RECORDS = derive(sweep(), space())


def find(kv: str, spec: str = "none", n_max: int | None = None, model: str = "Q4_1") -> Measured:
    return next(
        r
        for r in RECORDS
        if (r.candidate.kv, r.candidate.spec, r.candidate.n_max) == (kv, spec, n_max)
        and r.candidate.model.endswith(model)
    )


def test_the_baseline_has_a_speed_up_of_exactly_one() -> None:
    base = find("f16/f16")
    assert base.estimates["speedup"].value == 1.0
    assert base.estimates["ppl_delta_pct"].high == 0.0
    assert base.is_baseline


def test_speed_up_is_the_ratio_of_rates_over_the_same_prompts() -> None:
    base, drafting = find("f16/f16"), find("f16/f16", "draft-dflash", 2)
    expected = drafting.estimates["tok_s"].value / base.estimates["tok_s"].value
    assert drafting.estimates["speedup"].value == pytest.approx(expected)


def test_a_candidate_is_compared_with_its_own_models_baseline() -> None:
    base = find("f16/f16", model="Q8_0")
    assert find("q4_0/q4_0", model="Q8_0").baseline_id == base.trial_id


def test_the_perplexity_change_is_paired_and_far_tighter_than_the_perplexity() -> None:
    change = find("q4_0/q4_0").estimates["ppl_delta_pct"]
    assert change.low is not None and change.high is not None
    truth = 100 * (math.exp(KV_LOSS["q4_0/q4_0"]) - 1)
    assert change.value == pytest.approx(truth, abs=1)
    bare = relative_half_width(find("q4_0/q4_0").estimates["ppl"]) or 0
    assert (change.high - change.low) / 200 < bare / 5


def test_without_a_measured_baseline_nothing_is_derived() -> None:
    alone = [r for r in sweep() if r.candidate.drafts]
    assert all("speedup" not in record.estimates for record in derive(alone, space()))


def test_another_rigs_baseline_does_not_count() -> None:
    here = [r for r in sweep() if r.candidate.drafts]
    there = sweep("rtx5090", first_id=1000)
    derived = derive([*here, *there], space())
    assert all(r.baseline_id is None for r in derived if r.rig == "cpu")


def test_pooling_narrows_the_intervals_of_a_sweep() -> None:
    alone = {r.trial_id: r for r in sweep()}
    narrower = [
        (relative_half_width(r.estimates["tok_s"]) or 0)
        < (relative_half_width(alone[r.trial_id].estimates["tok_s"]) or 0)
        for r in RECORDS
        if "tok_s" in r.estimates
    ]
    assert sum(narrower) > 0.7 * len(narrower)


def test_deriving_twice_changes_nothing() -> None:
    assert derive(RECORDS, space()) == RECORDS


def test_of_two_records_of_the_baseline_the_most_measured_one_counts() -> None:
    records = sweep()
    base = records[0]
    again = replace(base, trial_id=999, throughput=base.throughput * 2)
    derived = derive([*records, again], space())
    assert next(r for r in derived if r.trial_id == 2).baseline_id == 999
