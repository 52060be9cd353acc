"""Depth in a sweep's result: intervals from the rig's spread, comparisons at the deepest."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.derive import derive
from orchestrator.analysis.plain import candidate as as_plain_data
from orchestrator.analysis.records import Measured
from tests.orchestrator.analysis.synthetic import space, sweep
from tests.workers.statistics.test_depths import request
from workers.contract.outcome import Sample
from workers.statistics.comparison import Verdict
from workers.statistics.depths import estimates


def filled(record: Measured, ms: float) -> Measured:
    """The record with two launches of two depths; the deeper one generates in `ms`."""
    wobble = 1 + 0.004 * (record.trial_id % 5 - 2)
    samples: list[Sample] = []
    for launch, factor in enumerate((1.0, wobble)):
        samples += [request(100, 100 * factor, launch), request(900, ms * factor, launch)]
    made = {e.metric: e for e in estimates(samples)}
    return replace(record, deep=tuple(samples), estimates={**record.estimates, **made})


RECORDS = derive(
    [filled(r, 200 if r.candidate.kv == "f16/f16" else 260) for r in sweep()[:24]], space()
)


def test_the_curve_has_a_rate_with_an_interval_at_each_depth() -> None:
    shallow, deep = RECORDS[0].depths
    rates = [next(e for e in at.estimates if e.metric == "tok_s") for at in (shallow, deep)]

    assert [at.tokens for at in (shallow, deep)] == [100, 900]
    assert all(e.low is not None and e.high is not None and e.low < e.value < e.high for e in rates)
    assert rates[1].value == RECORDS[0].value("tok_s_deep")
    assert (rates[1].low, rates[1].high) == (
        RECORDS[0].estimates["tok_s_deep"].low,
        RECORDS[0].estimates["tok_s_deep"].high,
    )


def test_two_candidates_are_compared_at_the_deepest() -> None:
    fast = next(r for r in RECORDS if r.candidate.kv == "f16/f16")
    slow = next(r for r in RECORDS if r.candidate.kv != "f16/f16")
    comparer = Comparer(RECORDS)

    assert comparer.compare(fast, slow, "tok_s_deep").verdict is Verdict.BETTER
    assert comparer.compare(fast, slow, "ttft_deep_ms").verdict is Verdict.BETTER


def test_how_deep_is_exact() -> None:
    a, b = RECORDS[0], RECORDS[1]
    deeper = replace(b, trial_id=999).with_estimates(
        replace(b.estimates["depth_max"], value=5000.0)
    )
    comparer = Comparer((*RECORDS, deeper))

    assert comparer.compare(deeper, a, "depth_max").verdict is Verdict.BETTER
    assert comparer.compare(a, b, "depth_max").verdict is Verdict.TIE


def test_json_has_the_curve() -> None:
    depths = as_plain_data(RECORDS[0])["depths"]

    assert isinstance(depths, list)
    assert [(at["depth"], at["tokens"]) for at in depths] == [("100", 100), ("900", 900)]
    assert depths[1]["tok_s"]["low"] < depths[1]["tok_s"]["value"]


def test_what_was_not_filled_has_no_curve() -> None:
    (record,) = derive(sweep()[:1], space())

    assert record.depths == ()
    assert "tok_s_deep" not in record.estimates
