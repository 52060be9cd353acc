"""The scripted pool keeps what every pool promises, and its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orchestrator.sweeping.pools.base import Pool
from search_spaces.metrics import Facet
from tests.orchestrator.sweeping.pools.conformance import RIGS, PoolConformance, job_of
from tests.orchestrator.sweeping.spaces import make_space
from tests.support.hosts import make_host
from tests.support.outcomes import make_job
from tests.support.scripted_pool import Fault, ScriptedPool
from tests.support.surfaces import OUT_OF_MEMORY, failing
from workers.contract.outcome import Completed, Failed, Outcome
from workers.statistics.launches import by_launch
from workers.statistics.ratios import RATIOS

HOST = make_host(make_space())


class TestScripted(PoolConformance):
    """Faults are asked for by tags here, as they are of real workers."""

    def make(self) -> Pool:
        """One that loses the worker of a job which says so."""
        return ScriptedPool(HOST, faults=[Fault(lambda job, _: job.tags.get("do") == "raise")])


def outcome_of(pool: ScriptedPool, **how: object) -> Outcome:
    """What one job of the example candidate brings."""
    pool.start(RIGS)
    pool.submit("a", make_job(**how))  # type: ignore[arg-type]
    (finished,) = pool.wait(0.0)
    return finished.outcome


def test_throughput_comes_in_the_shape_of_real_samples() -> None:
    outcome = outcome_of(ScriptedPool(HOST))
    assert isinstance(outcome, Completed)
    result = next(r for r in outcome.results if r.facet is Facet.THROUGHPUT)
    launches = by_launch(result.samples, RATIOS["tok_s"])
    assert launches is not None
    assert len(launches.values) == 2
    assert {sample.repeat for sample in result.samples} == {0, 1}
    assert {"tok_s", "acceptance", "ttft_ms", "draft_n"} <= {e.metric for e in result.estimates}
    assert all(e.low is not None for e in result.estimates if e.metric == "tok_s")


def test_perplexity_is_exactly_that_of_the_surface() -> None:
    outcome = outcome_of(ScriptedPool(HOST), facets=(Facet.PERPLEXITY,))
    (result,) = outcome.results
    assert result.estimates[0].value == pytest.approx(10 * (1 + 0.002 + 0.02))


def test_equal_jobs_bring_equal_numbers() -> None:
    assert outcome_of(ScriptedPool(HOST)) == outcome_of(ScriptedPool(HOST))


def test_failures_come_by_rule() -> None:
    outcome = outcome_of(ScriptedPool(HOST, failing(lambda c, r: r.name == "a")))
    assert isinstance(outcome, Failed)
    assert outcome.diagnosis == OUT_OF_MEMORY


def test_a_driver_that_gives_a_busy_rig_work_is_found_out() -> None:
    pool = ScriptedPool(HOST)
    pool.start(RIGS)
    pool.submit("a", job_of("job-1"))
    with pytest.raises(AssertionError, match="a is busy"):
        pool.submit("a", job_of("job-2"))


def test_a_driver_that_measures_one_thing_twice_at_once_is_found_out() -> None:
    pool = ScriptedPool(HOST)
    pool.start(RIGS)
    job = job_of("job-1")
    pool.submit("a", job)
    with pytest.raises(AssertionError, match="twice at once"):
        pool.submit("b", replace(job, id="job-2"))
