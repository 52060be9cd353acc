"""Fronts of very many candidates: by point estimates and the rig's spread, all at once.

Comparing every candidate with the front sample by sample takes milliseconds each. Where there
are tens of thousands, those that stand far behind are found first with the same rule, fed with
less: the pooled spread of the rig's launches in place of a pair's own samples.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.analysis.front import Level
from orchestrator.analysis.objectives import is_exact, oriented, scale_of
from orchestrator.analysis.pooling import Spreads
from search_spaces.metrics import Direction
from workers.statistics.comparison import Scale

if TYPE_CHECKING:
    from numpy import bool_, float64
    from numpy.typing import NDArray

# Standard errors of a difference beyond which dominance counts as significant: at 12 degrees of
# freedom, which the pool of a rig is trusted with, p is then below DOMINANCE_ALPHA.
FAR = 5.0


@dataclass(frozen=True, slots=True)
class Screened:
    """`levels` in the order of the candidates; `gaps` how far each is behind the nearest that
    beats it, in the goal where it is furthest, in spreads of the candidates (0 on the front)."""

    levels: tuple[Level, ...]
    gaps: tuple[float, ...]

    def nearest(self, most: int) -> list[int]:
        """Positions of at most `most` candidates that are not beaten, the front's first."""
        open_ = [i for i, level in enumerate(self.levels) if level is not Level.DOMINATED]
        return sorted(open_, key=lambda i: (self.gaps[i], i))[:most]


def screened(
    values: Mapping[str, Sequence[float]], goals: Mapping[str, Direction], known: Spreads
) -> Screened:
    """Places candidates; `values` has one number per candidate for each goal.

    DOMINATED: some candidate is at least as good in every goal, and far better in one whose
    spread is known (`FAR` standard errors over two launches each) or which is exact. FRONT: no
    point estimate beats it. TIED: the rest.
    """
    import numpy as np

    columns = [_scores(values[metric], metric, way) for metric, way in goals.items()]
    scores = np.column_stack(columns)
    reach = np.array([_reach(metric, known) for metric in goals])
    unit = np.where((spread := scores.std(axis=0)) > 0, spread, 1.0) if len(scores) else 1.0
    leads = _skyline(scores)
    far, gaps = np.zeros(len(scores), dtype=bool), np.where(leads, 0.0, np.inf)
    for best in np.unique(scores[leads], axis=0):
        behind = best - scores
        beaten = (behind >= 0).all(axis=1)
        far |= beaten & ((behind > 0) & (behind >= reach)).any(axis=1)
        gaps = np.where(beaten, np.minimum(gaps, (behind / unit).max(axis=1)), gaps)
    levels = np.where(far, Level.DOMINATED, np.where(leads, Level.FRONT, Level.TIED))
    return Screened(tuple(Level(level) for level in levels.tolist()), tuple(gaps.tolist()))


def _scores(values: Sequence[float], metric: str, way: Direction) -> NDArray[float64]:
    """More is better, on the scale on which differences of the metric are compared."""
    import numpy as np

    raw = np.asarray(values, dtype=float)
    if scale_of(metric) is not Scale.DIFFERENCE and (raw > 0).all():
        raw = np.log(raw)
    return raw * oriented(1.0, way)


def _reach(metric: str, known: Spreads) -> float:
    """How far behind is far: nothing for exact metrics, never where no spread is known."""
    if is_exact(metric):
        return 0.0
    spread = known.get(metric)
    return math.inf if spread is None else FAR * math.sqrt(spread.variance)


def _skyline(scores: NDArray[float64]) -> NDArray[bool_]:
    """Which rows no other row beats: the best sum among what is left never is beaten."""
    import numpy as np

    leads = np.zeros(len(scores), dtype=bool)
    left = np.arange(len(scores))[np.argsort(-scores.sum(axis=1), kind="stable")]
    while len(left):
        best = scores[left[0]]
        leads[left[(scores[left] == best).all(axis=1)]] = True
        left = left[(scores[left] > best).any(axis=1)]
    return leads
