"""From estimates to what is told: objective values, and how far each limit is violated."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace

from orchestrator.sweeping.search import Verdict
from search_spaces.candidate import Candidate
from search_spaces.metrics import METRICS, Direction, Facet
from search_spaces.space import Space
from search_spaces.walk import names_of
from workers.contract.job import Point
from workers.contract.outcome import Estimate
from workers.contract.reports import RigReport


def verdict(
    space: Space, rig: RigReport, candidate: Candidate, estimates: Mapping[str, Estimate]
) -> Verdict:
    """What to tell the study. Raises KeyError when an objective was not measured."""
    values = tuple(
        float(candidate.ctx) if name == "ctx" else estimates[name].value
        for name in space.objectives
    )
    names = names_of(candidate.as_dict())
    names.update({name: estimate.value for name, estimate in estimates.items()})
    names["rig"] = SimpleNamespace(
        name=rig.name, kind=str(rig.kind), vram_mib=rig.vram_mib, memory_mib=rig.memory_mib
    )
    return Verdict(values, {limit.text: limit.violation(names) for limit in space.limits})


def loss_metric(space: Space) -> str | None:
    """The one quality metric beside speed, when those two are all that is wanted.

    Only then may a slow candidate stop early: with a third goal (memory, energy), being slower
    at no better perplexity does not make a candidate pointless.
    """
    speed = [name for name in space.objectives if name in ("tok_s", "speedup")]
    others = [name for name in space.objectives if name not in speed]
    if len(speed) == 1 and len(others) == 1 and not space.constraints:
        metric = METRICS.get(others[0])
        if (
            metric
            and metric.facet in (Facet.PERPLEXITY, Facet.DIVERGENCE)
            and space.objectives[metric.name] is Direction.MINIMIZE
        ):
            return "ppl" if metric.name == "ppl_delta_pct" else metric.name
    return None


def point_of(space: Space, estimates: Mapping[str, Estimate]) -> Point | None:
    """A completed trial as a point to beat: the low end of its speed, and its loss."""
    loss = loss_metric(space)
    if loss is None or "tok_s" not in estimates or loss not in estimates:
        return None
    rate = estimates["tok_s"]
    return Point(rate.low if rate.low is not None else rate.value, estimates[loss].value)
