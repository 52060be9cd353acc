"""The answer of a search as a measurement, which the outcome of its last attempt brings."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.analysis.ceiling.search import Search
from orchestrator.analysis.ceiling.verdict import Limit, Verdict, judge
from orchestrator.sweeping.ceiling.entry import Entry
from search_spaces.metrics import Facet
from workers.contract.outcome import Estimate, FacetResult, Outcome
from workers.contract.reports import Build


def with_answer(entry: Entry, search: Search, outcome: Outcome) -> Outcome:
    """The outcome of a search's last attempt also brings the ceiling, for sweeps to use."""
    if search.next() is not None:
        return outcome
    verdict = judge(search, entry.model_limit)
    engine = entry.ground.engine(entry.candidate)
    build = engine.build("server") if engine else None
    if verdict.limit is Limit.UNRELATED or not verdict.ctx_max or build is None:
        return outcome
    result = answer(entry.key, build, verdict, sum(map(len, search.seen.values())))
    return replace(outcome, results=(*outcome.results, result))


def answer(key: str, build: Build, verdict: Verdict, tries: int) -> FacetResult:
    """The ceiling as a measurement; its flag says what sets it."""
    flag = f"ceiling:{verdict.limit.name.lower()}"
    estimate = Estimate("ctx_max", float(verdict.ctx_max), n=tries)
    return FacetResult(Facet.CEILING, key, build, (estimate,), flags=(flag,))
