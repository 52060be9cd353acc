"""What is known of memo keys: measured anywhere, failed somewhere, or in flight."""

from __future__ import annotations

from orchestrator.sweeping.ledger import Fault, Ledger
from search_spaces.metrics import Facet
from tests.support.outcomes import BUILD, make_samples
from tests.support.surfaces import CRASH, OUT_OF_MEMORY
from workers.contract.outcome import Estimate, FacetResult

HERE, ELSEWHERE = ("laptop-hardware", "laptop"), ("tower-hardware", "tower")


def result(key: str, metric: str = "tok_s", value: float = 60.0) -> FacetResult:
    """A measured facet."""
    return FacetResult(Facet.THROUGHPUT, key, BUILD, (Estimate(metric, value),), make_samples())


def test_a_measurement_holds_everywhere() -> None:
    ledger = Ledger()
    ledger.learn([result("a")], "laptop-hardware")
    assert ledger.open(["a", "b"], HERE) == ledger.open(["a", "b"], ELSEWHERE) == ["b"]
    assert ledger.complete(["a"])
    assert not ledger.complete(["a", "b"])


def test_what_is_in_flight_is_left_to_the_job_that_measures_it() -> None:
    ledger = Ledger()
    ledger.in_flight.add("a")
    assert ledger.open(["a", "b"], HERE) == ["b"]


def test_a_failure_holds_for_its_hardware_or_its_rig() -> None:
    ledger = Ledger()
    ledger.fail("a", HERE[0], Fault(OUT_OF_MEMORY, "job-1"))
    ledger.fail("b", HERE[1], Fault(CRASH, "job-2"))
    twin = (HERE[0], "another laptop")
    assert ledger.open(["a", "b"], HERE) == []
    assert ledger.open(["a", "b"], twin) == ["b"]
    assert ledger.open(["a", "b"], ELSEWHERE) == ["a", "b"]
    assert ledger.failure(["b", "a"], HERE) == Fault(CRASH, "job-2")
    assert ledger.failure(["b", "a"], twin) == Fault(OUT_OF_MEMORY, "job-1")
    assert ledger.failure(["b", "a"], ELSEWHERE) is None


def test_what_failed_here_and_was_measured_elsewhere_is_measured() -> None:
    ledger = Ledger()
    ledger.fail("a", HERE[0], Fault(OUT_OF_MEMORY, "job-1"))
    ledger.learn([result("a")], ELSEWHERE[0])
    assert ledger.failure(["a"], HERE) is None
    assert ledger.complete(["a"])


def test_attempts_are_counted_by_key_and_rig() -> None:
    ledger = Ledger()
    assert ledger.attempt(["a", "b"], "laptop") == 1
    assert ledger.tried(["a"], "laptop") == 1
    assert ledger.tried(["a", "b"], "laptop") == 2
    assert ledger.attempt(["b"], "laptop") == 2
    assert ledger.attempt(["a"], "tower") == 1


def test_estimates_of_several_keys_are_one_set() -> None:
    ledger = Ledger()
    ledger.learn([result("a"), result("b", "ppl", 9.0)], HERE[0])
    assert {n: e.value for n, e in ledger.estimates(["a", "b", "c"]).items()} == {
        "tok_s": 60.0,
        "ppl": 9.0,
    }


def test_the_spread_of_launches_is_that_of_one_hardware() -> None:
    ledger = Ledger()
    assert ledger.spread(HERE[0]) is None
    ledger.learn([result("a")], HERE[0])
    assert ledger.spread(HERE[0]) is not None
    assert ledger.spread(ELSEWHERE[0]) is None
