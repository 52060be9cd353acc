"""Comparing records by the best evidence there is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.derive import derive
from tests.orchestrator.analysis.points import blurred, exact
from tests.orchestrator.analysis.synthetic import space, sweep
from workers.contract.reports import RigKind
from workers.statistics.comparison import Verdict

RECORDS = derive(sweep(), space())
BASE, DRAFTING = RECORDS[0], RECORDS[1]


def test_replayed_numbers_are_compared_exactly() -> None:
    a, b = exact(1, tok_s=100.001), exact(2, tok_s=100)
    assert Comparer([a, b]).compare(a, b, "tok_s").verdict is Verdict.BETTER


def test_memory_is_compared_exactly() -> None:
    a, b = blurred(1, 0.1, mem_peak_mib=99), blurred(2, 0.1, mem_peak_mib=100)
    assert Comparer([a, b]).compare(a, b, "mem_peak_mib").verdict is Verdict.BETTER


def test_overlapping_intervals_are_a_tie() -> None:
    a, b = blurred(1, 0.02, tok_s=100), blurred(2, 0.02, tok_s=98)
    assert Comparer([a, b]).compare(a, b, "tok_s").verdict is Verdict.TIE


def test_intervals_far_apart_show_a_difference() -> None:
    a, b = blurred(1, 0.02, tok_s=100), blurred(2, 0.02, tok_s=90)
    made = Comparer([a, b]).compare(a, b, "tok_s")
    assert made.verdict is Verdict.BETTER
    assert made.value == pytest.approx(100 / 90)


def test_raw_samples_are_preferred_to_intervals() -> None:
    made = Comparer(RECORDS).compare(DRAFTING, BASE, "ppl")
    assert made.value == 0.0  # same K/V pair, same text: not two independent perplexities


def test_speed_ups_over_one_baseline_are_compared_as_speeds() -> None:
    comparer = Comparer(RECORDS)
    speedup = comparer.compare(DRAFTING, RECORDS[2], "speedup")
    assert speedup.effect == comparer.compare(DRAFTING, RECORDS[2], "tok_s").effect


def test_on_cuda_a_perplexity_difference_under_the_batch_effect_is_a_tie() -> None:
    pairs = [r for r in RECORDS if r.candidate.kv in ("f16/f16", "q8_0/q8_0")]
    a, b = pairs[0], next(r for r in pairs if r.candidate.kv == "q8_0/q8_0")
    shifted = tuple(
        replace(c, values={**c.values, "nll": c.values["nll"] + 0.0004 * 256}) for c in a.chunks
    )
    b = replace(b, chunks=shifted)
    assert Comparer([a, b]).compare(b, a, "ppl").verdict is Verdict.WORSE
    a, b = replace(a, rig_kind=RigKind.CUDA), replace(b, rig_kind=RigKind.CUDA)
    assert Comparer([a, b]).compare(b, a, "ppl").verdict is Verdict.TIE


def test_a_metric_that_was_not_measured_is_an_error() -> None:
    with pytest.raises(ValueError, match="kld_mean was not measured"):
        Comparer(RECORDS).compare(BASE, DRAFTING, "kld_mean")
