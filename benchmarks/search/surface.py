"""A surface: a space, and what each of its candidates would come to. Nothing here is measured."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from search_spaces.candidate import Candidate
from search_spaces.metrics import Direction
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.walk import assignments

Point = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """The objectives in their order, None for a candidate that fails; seconds of rig time."""

    point: Point | None
    cost_s: float


@dataclass(frozen=True)
class Surface:
    """`told` says what it is made of; `reference` is the worst corner of the objectives.

    `noise` is the relative standard deviation of a measurement of the first objective. Searches
    are scored after `at_trials` trials and `at_minutes` minutes of one rig.
    """

    name: str
    told: str
    space: Space
    reference: Point
    truth: Callable[[Candidate], Truth]
    noise: Callable[[Candidate], float]
    at_trials: tuple[int, ...]
    at_minutes: tuple[float, ...]

    @property
    def ways(self) -> list[Direction]:
        """The direction of each objective."""
        return list(self.space.objectives.values())

    @cached_property
    def candidates(self) -> list[Candidate]:
        """Each launch once."""
        walked = (candidate_of(assignment) for assignment in assignments(self.space))
        return list({candidate.canonical(): candidate for candidate in walked}.values())

    def measured(self, candidate: Candidate, rng: random.Random) -> Truth:
        """The truth with the noise of a measurement."""
        exact = self.truth(candidate)
        if exact.point is None:
            return exact
        first, *rest = exact.point
        noisy = first * math.exp(rng.gauss(0.0, self.noise(candidate)))
        return Truth((noisy, *rest), exact.cost_s)
