"""The rate of a suite and its interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.simulated_rigs import TOKENS, Protocol, measure, prompt_times
from tests.workers.statistics.samples import timed
from workers.contract.outcome import Sample
from workers.statistics.launches import by_launch
from workers.statistics.rate import estimate, estimates, of_launches, relative_half_width
from workers.statistics.ratios import RATIOS
from workers.statistics.spread import Spread, pool

times = st.lists(st.floats(10, 1e5), min_size=2, max_size=6)


def test_the_rate_is_all_tokens_over_all_time() -> None:
    made = estimate("tok_s", timed([[[1000, 3000]], [[2000, 4000]]]))
    assert made is not None
    assert made.value == pytest.approx(4 * 100 / 10)
    assert made.n == 4


def test_an_unfinished_pass_does_not_weigh_its_prompts_more() -> None:
    whole = timed([[[1000, 3000], [1000, 3000]], [[1000, 3000], [1000, 3000]]])
    cut = [s for s in whole if not (s.launch == 1 and s.repeat == 1 and s.label == "p1")]
    a, b = estimate("tok_s", whole), estimate("tok_s", cut)
    assert a is not None and b is not None
    assert b.value == pytest.approx(a.value)


def test_a_prompt_that_one_launch_lacks_is_left_out_of_all() -> None:
    cut = [s for s in timed([[[1000, 3000]], [[1000, 3000]]]) if (s.launch, s.label) != (1, "p1")]
    made = estimate("tok_s", cut)
    assert made is not None
    assert made.value == pytest.approx(100)


def test_prompts_that_differ_threefold_add_no_uncertainty() -> None:
    made = estimate("tok_s", timed([[[1000, 3000]], [[1000, 3000]]]))
    assert made is not None
    assert made.low == pytest.approx(made.value) == made.high


def test_a_single_launch_has_no_interval() -> None:
    made = estimate("tok_s", timed([[[1000, 3000], [1100, 3100]]]))
    assert made is not None
    assert (made.low, made.high) == (None, None)


def test_a_single_launch_has_an_interval_when_the_rigs_spread_is_known() -> None:
    made = estimate("tok_s", timed([[[1000, 3000]]]), Spread(0.01**2, 30))
    assert made is not None and made.low is not None
    assert made.low == pytest.approx(25 * 2 * math.exp(-2.1788 * 0.01), rel=1e-3)


def test_two_launches_use_one_degree_of_freedom() -> None:
    made = estimate("tok_s", timed([[[1000]], [[1020]]]))
    assert made is not None and made.high is not None
    spread = math.log(1.02) / math.sqrt(2)
    assert math.log(made.high / made.value) == pytest.approx(12.706 * spread / math.sqrt(2), 1e-3)


def test_the_pool_narrows_the_interval_of_two_launches() -> None:
    samples = timed([[[1000]], [[1020]]])
    alone = estimate("tok_s", samples)
    pooled = estimate("tok_s", samples, Spread(0.01**2, 24))
    assert alone is not None and pooled is not None
    assert (relative_half_width(pooled) or 1) < (relative_half_width(alone) or 0) / 3


def test_acceptance_is_a_ratio_of_sums_inside_zero_and_one() -> None:
    samples = [
        Sample("a", {"draft_n": 10, "draft_n_accepted": 9}, 0),
        Sample("a", {"draft_n": 30, "draft_n_accepted": 11}, 1),
    ]
    made = estimate("acceptance", samples)
    assert made is not None
    assert made.value == pytest.approx(0.5)
    assert (made.low, made.high) == (0.0, 1.0)


def test_acceptance_is_absent_when_nothing_was_drafted() -> None:
    samples = [Sample("a", {"draft_n": 0, "draft_n_accepted": 0}, launch) for launch in (0, 1)]
    assert estimate("acceptance", samples) is None


def test_only_recorded_metrics_are_estimated() -> None:
    assert [made.metric for made in estimates(timed([[[1000]], [[1010]]]))] == ["tok_s"]


@given(times, st.floats(0.5, 2))
def test_the_rate_scales_with_speed(one_pass: list[float], factor: float) -> None:
    slow = estimate("tok_s", timed([[one_pass]]))
    fast = estimate("tok_s", timed([[[t / factor for t in one_pass]]]))
    assert slow is not None and fast is not None
    assert fast.value == pytest.approx(slow.value * factor)


@given(times, st.randoms())
def test_the_order_of_samples_does_not_matter(one_pass: list[float], random: object) -> None:
    samples = timed([[one_pass], [[t * 1.01 for t in one_pass]]])
    mixed = list(samples)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    a, b = estimate("tok_s", samples), estimate("tok_s", mixed)
    assert a is not None and b is not None
    assert (a.value, a.low) == pytest.approx((b.value, b.low))


@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("launches", [2, 3, 4])
def test_intervals_hold_the_truth_in_93_to_97_per_cent(launches: int, pooled: bool) -> None:
    rng = np.random.default_rng(launches)
    hits = []
    for _ in range(60):
        how = Protocol(
            launches=launches, launch_sd=rng.uniform(0, 0.03), pass_sd=rng.uniform(0.01, 0.06)
        )
        sweep = [prompt_times(rng, how.prompts) for _ in range(20)]
        every = [by_launch(measure(rng, times, how), RATIOS["tok_s"]) for times in sweep]
        spread = pool(one.scores for one in every if one) if pooled else None
        for times, one in zip(sweep, every, strict=True):
            assert one is not None
            made = of_launches(one, spread)
            assert made.low is not None and made.high is not None
            hits.append(made.low <= 1000 * TOKENS * len(times) / sum(times) <= made.high)
    assert len(hits) >= 1000
    assert 0.93 <= np.mean(hits) <= 0.97
