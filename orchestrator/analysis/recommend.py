"""What to use: a few picks from a front, each with its runner-up and whether it shows a lead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.dominance import Objectives, no_worse, shown
from orchestrator.analysis.front import Front
from orchestrator.analysis.knee import by_balance
from orchestrator.analysis.objectives import oriented
from orchestrator.analysis.records import Measured
from search_spaces.metrics import METRICS, Direction, Facet
from workers.statistics.comparison import SHOWN_ALPHA, Comparison, Verdict

_QUALITY = (Facet.PERPLEXITY, Facet.DIVERGENCE, Facet.QUALITY)


@dataclass(frozen=True, slots=True)
class Pick:
    """One recommendation. `against` compares it with the runner-up, one entry per objective.

    `shown` is True when the lead over the runner-up in what the pick is about (for the best
    balance: in any objective) is significant; otherwise they are "no difference shown".
    """

    key: str
    title: str
    record: Measured
    runner_up: Measured | None = None
    against: tuple[Comparison, ...] = ()
    shown: bool = False


def speed_metric(objectives: Objectives) -> str | None:
    """The first objective that measures speed to be maximised."""
    return _first(objectives, (Facet.THROUGHPUT,), Direction.MAXIMIZE)


def quality_metric(objectives: Objectives) -> str | None:
    """The first objective that measures quality."""
    return _first(objectives, _QUALITY, None)


def _first(objectives: Objectives, facets: tuple[Facet, ...], way: Direction | None) -> str | None:
    for metric, direction in objectives.items():
        if metric in METRICS and METRICS[metric].facet in facets and way in (None, direction):
            return metric
    return None


def recommend(front: Front, comparer: Comparer) -> tuple[Pick, ...]:
    """Best balance, maximum speed, maximum quality and the best with a draft, where they exist.

    They come from the front, except the last: when speculation loses, its best is not there.
    """
    objectives = front.objectives
    picks = [_balance(front, comparer)]
    if speed := speed_metric(objectives):
        picks.append(_fastest("fastest", "Maximum speed", front.members, speed, front, comparer))
    if quality := quality_metric(objectives):
        picks.append(_finest(front.members, quality, front, comparer))
    if speed:
        drafting = [p.record for p in front.placed if p.record.candidate.drafts]
        picks.append(_fastest("draft", "Best with a draft", drafting, speed, front, comparer))
    return tuple(pick for pick in picks if pick is not None)


def _balance(front: Front, comparer: Comparer) -> Pick | None:
    ordered = by_balance(front.leaders, front.objectives)
    if not ordered:
        return None
    second = ordered[1] if len(ordered) > 1 else None
    return _pick(
        "best", "Best balance", ordered[0], second, tuple(front.objectives), front, comparer
    )


def _fastest(
    key: str,
    title: str,
    records: Sequence[Measured],
    metric: str,
    front: Front,
    comparer: Comparer,
) -> Pick | None:
    ordered = _ordered(records, metric, front)
    if not ordered:
        return None
    second = ordered[1] if len(ordered) > 1 else None
    return _pick(key, title, ordered[0], second, (metric,), front, comparer)


def _finest(
    records: Sequence[Measured], metric: str, front: Front, comparer: Comparer
) -> Pick | None:
    """The best quality; among those that are no worse, the fastest."""
    ordered = _ordered(records, metric, front)
    if not ordered:
        return None
    way = front.objectives[metric]
    equals = [r for r in ordered if no_worse(r, ordered[0], metric, way, comparer)]
    speed = speed_metric(front.objectives)
    first = _ordered(equals, speed, front)[0] if speed else ordered[0]
    others = [r for r in ordered if r not in equals] or [r for r in equals if r is not first]
    second = others[0] if others else None
    return _pick("finest", "Maximum quality", first, second, (metric,), front, comparer)


def _ordered(records: Sequence[Measured], metric: str, front: Front) -> list[Measured]:
    """Best of the metric first; equals by the other objectives."""
    order = [metric, *(name for name in front.objectives if name != metric)]

    def key(record: Measured) -> tuple[float, ...]:
        return (
            *(-oriented(record.value(m) or 0.0, front.objectives[m]) for m in order),
            record.trial_id,
        )

    return sorted(records, key=key)


def _pick(
    key: str,
    title: str,
    first: Measured,
    second: Measured | None,
    about: tuple[str, ...],
    front: Front,
    comparer: Comparer,
) -> Pick:
    if second is None:
        return Pick(key, title, first)
    against = {metric: comparer.compare(first, second, metric) for metric in front.objectives}
    lead = any(
        shown(against[metric], front.objectives[metric], SHOWN_ALPHA) is Verdict.BETTER
        for metric in about
    )
    return Pick(key, title, first, second, tuple(against.values()), lead)
