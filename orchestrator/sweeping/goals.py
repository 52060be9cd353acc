"""From estimates to what is told: objective values, and how far each limit is violated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import SimpleNamespace

from orchestrator.sweeping.verdict import Verdict, worst_value
from search_spaces.candidate import Candidate
from search_spaces.expressions import Expression
from search_spaces.metrics import METRICS, Direction, Facet
from search_spaces.space import Space
from search_spaces.walk import baseline_of, names_of
from workers.contract.job import Point
from workers.contract.outcome import Estimate
from workers.contract.reports import RigReport

Group = tuple[int, Candidate | None]
_SPEEDS = ("tok_s", "speedup")


def verdict(
    space: Space, rig: RigReport, candidate: Candidate, estimates: Mapping[str, Estimate]
) -> Verdict:
    """What to tell the study.

    An objective that this candidate has no number for (an acceptance without drafts, a power
    that the rig does not report) is told as its worst value, with a limit of its own violated.
    """
    values, violations = list[float](), dict[str, float]()
    for name in space.objectives:
        value = float(candidate.ctx) if name == "ctx" else _number(estimates.get(name))
        if value is None:
            violations[f"{name} is measured"] = 1.0
            value = worst_value(space, name)
        values.append(value)
    names = names_of(candidate.as_dict())
    names.update({name: _number(estimate) for name, estimate in estimates.items()})
    names["rig"] = SimpleNamespace(
        name=rig.name, kind=str(rig.kind), vram_mib=rig.vram_mib, memory_mib=rig.memory_mib
    )
    violations |= {limit.text: _violation(limit, names) for limit in space.limits}
    missing = [name.split()[0] for name in violations if name.endswith(" is measured")]
    why = f"{', '.join(missing)}: not measured for this candidate" if missing else ""
    return Verdict(tuple(values), violations, why)


def _number(estimate: Estimate | None) -> float | None:
    return estimate.value if estimate is not None and math.isfinite(estimate.value) else None


def _violation(limit: Expression, names: Mapping[str, object]) -> float:
    """A limit on a metric that is not known does not hold, however it is written."""
    if any(names.get(read) is None for read in limit.names if read in METRICS):
        return 1.0
    return limit.violation(names)


def loss_metric(space: Space) -> str | None:
    """The one quality metric beside speed, when those two are all that is wanted.

    Only then may a slow candidate stop early: with a third goal (memory, energy), being slower
    at no better perplexity does not make a candidate pointless.
    """
    speed = [name for name in space.objectives if name in _SPEEDS]
    others = [name for name in space.objectives if name not in _SPEEDS]
    if len(speed) != 1 or len(others) != 1 or space.constraints:
        return None
    metric = METRICS.get(others[0])
    if (
        metric is None
        or metric.facet not in (Facet.PERPLEXITY, Facet.DIVERGENCE)
        or space.objectives[metric.name] is not Direction.MINIMIZE
        or space.objectives[speed[0]] is not Direction.MAXIMIZE
    ):
        return None
    return "ppl" if metric.name == "ppl_delta_pct" else metric.name


def group_of(space: Space, candidate: Candidate) -> Group:
    """Candidates that compete on one front, so that one of them may stop another early.

    Those of one context capacity and, where a goal refers to the baseline, of one baseline:
    only then does a higher rate mean a higher speed-up.
    """
    relative = any(METRICS[name].derived for name in space.objectives if name in METRICS)
    return candidate.ctx, baseline_of(space, candidate).canonical() if relative else None


def point_of(space: Space, estimates: Mapping[str, Estimate]) -> Point | None:
    """A completed trial as a point to beat: the low end of its speed, and its loss."""
    loss = loss_metric(space)
    if loss is None or "tok_s" not in estimates or loss not in estimates:
        return None
    rate = estimates["tok_s"]
    return Point(rate.low if rate.low is not None else rate.value, estimates[loss].value)
