"""Throughput, memory and depth of one candidate: launches, gates, passes, until enough."""

from __future__ import annotations

from dataclasses import dataclass

from search_spaces.metrics import Facet
from workers.contract.outcome import FacetResult
from workers.contract.reports import Build
from workers.engines.base import EngineError
from workers.facets import estimates
from workers.facets.deep import Depths
from workers.facets.known import known_bugs_of
from workers.facets.one_launch import Gathered, OneLaunch
from workers.facets.planned import build_of
from workers.facets.repetitions import Next, rate_of
from workers.facets.setting import Setting
from workers.facets.telemetry import with_energy
from workers.statistics import depths
from workers.statistics.flags import throughput_flags
from workers.suites.load import load_suite
from workers.trace import Trace

SERVED = (Facet.THROUGHPUT, Facet.MEMORY, Facet.DEPTH, Facet.CEILING)
_DEEP = (Facet.DEPTH, Facet.CEILING)  # made of requests with a filled context


@dataclass(frozen=True)
class Served:
    """The facets measured, or the key of the known launch that this one turned out to be.

    `failure` is why depth, and what covers it, is not among them.
    """

    results: tuple[FacetResult, ...]
    same_as: str | None = None
    failure: EngineError | None = None


def serve(setting: Setting, trace: Trace) -> Served:
    """Measures the rig's facets of a job. `trace` keeps what was seen, also on failure.

    Raises EngineError, and SuiteError for a suite that does not have the prompts asked for.
    """
    recipe, facets = setting.job.recipe, setting.job.facets
    suite = load_suite(recipe.throughput.suite)
    gathered = Gathered(
        suite.first(recipe.throughput.prompts),
        Depths(suite.first(recipe.depth.prompts) if setting.job.deep else ()),
        timed=Facet.THROUGHPUT in facets or Facet.MEMORY in facets,
    )
    number, step = 0, Next.LAUNCH
    while step is Next.LAUNCH and (gathered.timed or gathered.depths.error is None):
        step = OneLaunch(setting, trace, gathered, number).run()
        number += 1
    if gathered.same_as is not None:
        return Served((), gathered.same_as)
    if gathered.depths.error is not None:
        trace.telemetry.update(gathered.depths.told())
    results = tuple(_results(setting, trace, gathered))
    return Served(results, failure=gathered.depths.error)


def _results(setting: Setting, trace: Trace, gathered: Gathered) -> list[FacetResult]:
    job, build = setting.job, build_of(setting, "server")
    samples = with_energy(gathered.samples, gathered.telemetry)

    def result(facet: Facet) -> FacetResult:
        key, bugs = job.memo[facet], known_bugs_of(setting, trace, facet)
        if facet is Facet.MEMORY:
            memory = estimates.memory(trace.telemetry, job.mem_predicted_mib)
            return FacetResult(facet, key, build, memory, flags=bugs)
        if facet in _DEEP:
            return _depth(facet, gathered, key, build, bugs)
        measured = throughput_flags(samples, rate_of(job.stop, samples), job.stop.precision)
        flags = tuple(dict.fromkeys((*gathered.flags, *measured, *bugs)))
        speed = estimates.throughput(samples, job.stop, trace.telemetry)
        return FacetResult(facet, key, build, speed, samples, flags)

    failed = (*_DEEP, Facet.MEMORY) if gathered.depths.error is not None else ()
    return [result(facet) for facet in job.facets if facet in SERVED and facet not in failed]


def _depth(
    facet: Facet, gathered: Gathered, key: str, build: Build, bugs: tuple[str, ...]
) -> FacetResult:
    """What the deep requests told; an attempt at a ceiling tells that they were answered."""
    samples = tuple(gathered.depths.samples)
    alone = ("single_launch",) if len({sample.launch for sample in samples}) == 1 else ()
    flags = tuple(dict.fromkeys((*gathered.flags, *alone, *bugs)))
    if facet is Facet.CEILING:
        return FacetResult(facet, key, build, (), samples, flags)
    return FacetResult(facet, key, build, depths.estimates(samples), samples, flags)
