"""Maximum quality."""

from __future__ import annotations

from orchestrator.analysis.dominance import no_worse
from orchestrator.analysis.goals.base import Absent, Field, Pick
from orchestrator.analysis.goals.choosing import ordered, picked, way
from orchestrator.analysis.goals.kinds.speed import speed_of
from orchestrator.analysis.objectives import first_of
from search_spaces.metrics import Facet

_FACETS = (Facet.PERPLEXITY, Facet.DIVERGENCE, Facet.QUALITY)
_WITHOUT_OBJECTIVE = ("ppl", "kld_mean")


class Quality:
    """The best quality; among those that are no worse, the fastest."""

    key = "finest"
    title = "Maximum quality"
    rank = 2

    def choose(self, field: Field) -> Pick | Absent:
        """By the space's objective of quality, else by perplexity or divergence."""
        asked = first_of(field.front.objectives, _FACETS)
        for metric in (asked,) if asked else _WITHOUT_OBJECTIVE:
            if found := ordered(field.with_metric(metric), metric, field):
                break
        else:
            wanted = asked or "neither perplexity nor divergence"
            return Absent(self.key, self.title, f"{wanted} was {'not ' if asked else ''}measured")
        direction = way(field, metric)
        equals = [r for r in found if no_worse(r, found[0], metric, direction, field.comparer)]
        first = ordered(equals, speed_of(field), field)[0]
        others = [r for r in found if r not in equals] or [r for r in equals if r is not first]
        why = f"the best {metric} of {field.crowd(metric)}"
        if len(equals) > 1:
            why = f"the fastest of {len(equals)} that are no worse than {why}"
        return picked(self, first, others[0] if others else None, (metric,), field, why)


GOAL = Quality()
