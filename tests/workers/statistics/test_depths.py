"""Speed against depth, from raw requests."""

from __future__ import annotations

import pytest

from workers.contract.outcome import Sample
from workers.statistics.depths import by_depth, curve, deepest, estimates
from workers.statistics.spread import Spread


def request(depth: int, ms: float, launch: int = 0, name: str = "") -> Sample:
    """11 tokens generated in `ms` behind a prompt of `depth` tokens that took ten times that."""
    values = {
        "depth": float(depth),
        "prompt_n": float(depth),
        "prompt_ms": 10 * ms,
        "predicted_n": 11.0,
        "predicted_ms": ms,
        "ttft_ms": 10 * ms,
    }
    group = name or str(depth)
    return Sample(f"p@{group}", values, launch, 0, group)


TWO = [request(d, ms, launch) for launch in (0, 1) for d, ms in ((900, 200 + launch), (100, 100))]


def test_the_deepest_comes_last() -> None:
    assert list(by_depth(TWO)) == ["100", "900"]
    assert {sample.group for sample in deepest(TWO)} == {"900"}


def test_each_depth_has_its_own_rates() -> None:
    shallow, deep = curve(TWO)

    assert (shallow.tokens, deep.tokens) == (100, 900)
    assert {e.metric: e.value for e in shallow.estimates}["tok_s"] == pytest.approx(100)
    assert {e.metric: e.value for e in deep.estimates}["tok_s"] == pytest.approx(50, rel=0.01)


def test_the_metrics_are_those_of_the_deepest() -> None:
    made = {e.metric: e for e in estimates(TWO)}

    assert made["tok_s_deep"].value == pytest.approx(50, rel=0.01)
    assert made["prompt_tok_s_deep"].value == pytest.approx(450, rel=0.01)
    assert made["ttft_deep_ms"].value == pytest.approx(2005)
    assert made["depth_max"].value == 911


def test_two_launches_give_an_interval_and_the_rigs_spread_narrows_it() -> None:
    def half(spread: dict[str, Spread] | None) -> float:
        (rate,) = (e for e in estimates(TWO, spread) if e.metric == "tok_s_deep")
        assert rate.low is not None and rate.high is not None
        return rate.high - rate.low

    assert half({"tok_s_deep": Spread(1e-5, 12.0)}) < half(None)


def test_one_launch_gives_none() -> None:
    assert estimates([request(900, 200)])[0].low is None


def test_nothing_measured_is_nothing_known() -> None:
    assert curve([]) == estimates([]) == deepest([]) == ()
