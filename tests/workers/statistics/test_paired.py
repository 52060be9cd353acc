"""Comparisons on shared prompts and shared chunks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.simulated_rigs import Protocol, measure, prompt_times
from tests.workers.statistics.samples import chunks, timed
from workers.contract.outcome import Sample
from workers.statistics.comparison import Verdict
from workers.statistics.launches import by_launch
from workers.statistics.paired import (
    CUDA_PPL_FLOOR,
    compare_divergence,
    compare_perplexity,
    compare_throughput,
)
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import Spread, pool

QUIET = Spread(0.005**2, 40)
nlls = st.lists(st.floats(1, 1000), min_size=2, max_size=8)


def test_a_clearly_faster_candidate_is_better() -> None:
    made = compare_throughput(timed([[[500]], [[501]]]), timed([[[1000]], [[1002]]]), spread=QUIET)
    assert made.value == pytest.approx(2.0, rel=1e-3)
    assert made.verdict is Verdict.BETTER


def test_the_other_way_round_is_worse() -> None:
    made = compare_throughput(timed([[[1000]], [[1002]]]), timed([[[500]], [[501]]]), spread=QUIET)
    assert made.verdict is Verdict.WORSE


def test_a_shorter_wait_is_better() -> None:
    def waits(ms: float) -> list[Sample]:
        return [Sample("a", {"ttft_ms": ms + i}, launch=i) for i in range(2)]

    made = compare_throughput(waits(50), waits(100), "ttft_ms", QUIET)
    assert made.verdict is Verdict.BETTER


def test_only_common_prompts_are_compared() -> None:
    a = timed([[[1000, 9000]], [[1000, 9000]]])
    b = [sample for sample in timed([[[1000, 1]], [[1000, 1]]]) if sample.label == "p0"]
    assert compare_throughput(a, b).value == pytest.approx(1.0)


def test_nothing_in_common_is_an_error() -> None:
    b = [Sample("other", {"predicted_n": 1, "predicted_ms": 1})]
    with pytest.raises(ValueError, match="no prompt in common"):
        compare_throughput(timed([[[1000]]]), b)


def test_single_launches_show_nothing_without_a_spread() -> None:
    made = compare_throughput(timed([[[500]]]), timed([[[1000]]]))
    assert (made.verdict, made.low) == (Verdict.TIE, None)
    assert "single launch" in made.note


def test_a_verdict_never_contradicts_the_interval() -> None:
    for ms in range(980, 1020):
        made = compare_throughput(timed([[[ms]] * 2] * 2), timed([[[1000]] * 2] * 2), spread=QUIET)
        assert made.low is not None and made.high is not None
        assert made.verdict is Verdict.TIE or not made.low <= 1 <= made.high


def test_a_stricter_level_turns_a_narrow_win_into_a_tie() -> None:
    made = compare_throughput(timed([[[980]]]), timed([[[1000]]]), spread=QUIET)
    assert made.verdict is Verdict.BETTER
    assert made.verdict_at(0.0005) is Verdict.TIE


def test_perplexity_changes_by_the_exponential_of_the_mean_difference() -> None:
    made = compare_perplexity(chunks([512, 768]), chunks([256, 512]))
    assert made.value == pytest.approx(100 * (math.e - 1))


def test_pairing_by_chunk_shows_what_bare_intervals_hide() -> None:
    base = [600.0, 800.0, 700.0, 900.0]
    made = compare_perplexity(chunks([n + 2.56 + i / 10 for i, n in enumerate(base)]), chunks(base))
    assert made.verdict is Verdict.WORSE
    assert made.value == pytest.approx(1.06, rel=0.02)


def test_a_perplexity_difference_under_the_floor_is_not_shown() -> None:
    base = [600.0, 800.0, 700.0, 900.0]
    slightly = [n * (1 + 1e-6) + 0.1 for n in base]
    assert compare_perplexity(chunks(slightly), chunks(base)).verdict is Verdict.WORSE
    made = compare_perplexity(chunks(slightly), chunks(base), floor=CUDA_PPL_FLOOR)
    assert made.verdict is Verdict.TIE


def test_one_chunk_shows_nothing() -> None:
    assert compare_perplexity(chunks([500]), chunks([400])).verdict is Verdict.TIE


def test_chunks_of_another_length_are_an_error() -> None:
    with pytest.raises(ValueError, match="number of tokens"):
        compare_perplexity(chunks([1, 2]), chunks([1, 2], tokens=100))


def test_divergence_is_a_difference_in_nats_per_token() -> None:
    made = compare_divergence(chunks([2.56, 5.12], key="kld"), chunks([0, 0], key="kld"))
    assert made.value == pytest.approx(0.015)


@given(nlls)
def test_the_same_measurement_is_a_tie_with_itself(values: list[float]) -> None:
    assert compare_perplexity(chunks(values), chunks(values)).verdict is Verdict.TIE


@given(nlls, st.floats(-5, 5))
def test_swapping_the_sides_swaps_the_verdict(values: list[float], shift: float) -> None:
    other = chunks([value + shift for value in values])
    one, two = compare_perplexity(chunks(values), other), compare_perplexity(other, chunks(values))
    assert {one.verdict, two.verdict} in ({Verdict.TIE}, {Verdict.BETTER, Verdict.WORSE})


@pytest.mark.parametrize("pooled", [False, True])
def test_equal_candidates_have_a_winner_in_at_most_5_per_cent(pooled: bool) -> None:
    rng = np.random.default_rng(7)
    how, wins = Protocol(launch_sd=0.01, pass_sd=0.03), []
    for _ in range(75):
        times = prompt_times(rng, how.prompts)
        sweep = [measure(rng, times, how) for _ in range(20)]
        every = [by_launch(samples, RATIOS["tok_s"]) for samples in sweep]
        spread = pool(one.scores for one in every if one) if pooled else None
        for a, b in zip(sweep[::2], sweep[1::2], strict=True):
            wins.append(compare_throughput(a, b, spread=spread).verdict is not Verdict.TIE)
    assert np.mean(wins) <= 0.05
