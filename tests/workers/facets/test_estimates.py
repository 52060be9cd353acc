"""Estimates: from raw samples and telemetry, and nothing that was not told."""

from __future__ import annotations

import math

import pytest

from tests.workers.statistics.samples import chunks, timed
from workers.contract.job import StoppingRule
from workers.contract.outcome import Estimate, Sample
from workers.facets import estimates

RULE = StoppingRule()


def by_name(made: tuple[Estimate, ...]) -> dict[str, Estimate]:
    assert len({e.metric for e in made}) == len(made), "a metric is estimated twice"
    return {e.metric: e for e in made}


def test_a_rate_is_tokens_over_time() -> None:
    made = by_name(estimates.throughput(timed([[[100, 200]], [[100, 200]]]), RULE, {}))

    assert made["tok_s"].value == pytest.approx(200 / 0.3)


def test_a_rig_whose_spread_is_known_gives_one_launch_an_interval() -> None:
    samples = timed([[[100, 200]]])

    alone = by_name(estimates.throughput(samples, RULE, {}))["tok_s"]
    known = by_name(estimates.throughput(samples, StoppingRule(spread=(1e-4, 10)), {}))["tok_s"]

    assert (alone.low, alone.high) == (None, None)
    assert known.low is not None
    assert known.high is not None
    assert known.low < known.value < known.high


def test_drafted_tokens_are_counted_and_none_is_none() -> None:
    drafted = [Sample("p", {"predicted_n": 9.0, "predicted_ms": 5.0, "draft_n": 6.0})] * 2

    assert by_name(estimates.throughput(drafted, RULE, {}))["draft_n"].value == 12.0
    assert by_name(estimates.throughput(timed([[[5.0]]]), RULE, {}))["draft_n"].value == 0.0


def test_an_acceptance_without_drafts_is_not_made_up() -> None:
    plain = [Sample("p", {"predicted_n": 9.0, "predicted_ms": 5.0, "draft_n": 0.0})]

    assert "acceptance" not in by_name(estimates.throughput(plain, RULE, {}))


def test_power_is_there_where_the_rig_tells_it() -> None:
    samples = timed([[[100]]])

    assert by_name(estimates.throughput(samples, RULE, {"power_w": 400.0}))["power_w"].value == 400
    assert "power_w" not in by_name(estimates.throughput(samples, RULE, {}))


def test_energy_per_token_has_an_interval_from_launches() -> None:
    samples = [
        Sample("p", {"predicted_n": 10.0, "predicted_ms": 5.0, "energy_j": joules}, launch)
        for launch, joules in enumerate((20.0, 22.0))
    ]
    energy = by_name(estimates.throughput(samples, RULE, {}))["joules_per_token"]

    assert energy.value == 2.1
    assert energy.low is not None and energy.low < 2.1


def test_memory_is_what_was_told() -> None:
    told = {"mem_loaded_mib": 900.0, "mem_peak_mib": 1000.0, "temp_max_c": 60.0}

    made = by_name(estimates.memory(told, predicted_mib=950.0))

    assert {name: e.value for name, e in made.items()} == {
        "mem_loaded_mib": 900.0,
        "mem_peak_mib": 1000.0,
        "mem_predicted_mib": 950.0,
    }
    assert estimates.memory({}, None) == ()


def test_a_perplexity_is_the_exponential_of_the_mean_nll() -> None:
    (made,) = estimates.perplexity(chunks([256 * math.log(20), 256 * math.log(20)]))

    assert (made.metric, made.n) == ("ppl", 2)
    assert made.value == pytest.approx(20)


def kld(share: float, tokens: float, **more: float) -> Sample:
    return Sample("0", {"kld": 0.1 * tokens, "tokens": tokens, "same_top": share, **more})


def test_agreement_weighs_chunks_by_their_tokens() -> None:
    made = by_name(estimates.divergence([kld(1.0, 300), kld(0.5, 100)]))

    assert made["kld_mean"].value == pytest.approx(0.1)
    assert made["same_top_pct"].value == pytest.approx(87.5)


def test_a_percentile_needs_every_chunk() -> None:
    whole = by_name(estimates.divergence([kld(1.0, 9, kld_p999=2.0), kld(1.0, 9, kld_p999=3.0)]))
    half = by_name(estimates.divergence([kld(1.0, 9, kld_p999=2.0), kld(1.0, 9)]))

    assert whole["kld_p999"].value == 3.0
    assert "kld_p999" not in half
