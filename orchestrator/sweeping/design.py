"""The first candidates: chosen so that every value of every axis is seen early.

Random starts can miss a KV pair or a quant for a long time; a greedy cover of values, then of
pairs of values, cannot. Order within equal gain is random, so it follows no axis.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from search_spaces.candidate import Value
from search_spaces.space import Space
from search_spaces.walk import Assignment, is_active

_POOL = 2_000  # enough to cover small axes; keeps the greedy search under a tenth of a second
Part = tuple[str, Value]


def covering(
    pool: Sequence[Assignment], axes: Sequence[str], count: int, seed: str
) -> list[Assignment]:
    """Up to `count` assignments of the pool that cover values first, then pairs of values."""
    rng = random.Random(seed)
    left = list(pool) if len(pool) <= _POOL else rng.sample(list(pool), _POOL)
    rng.shuffle(left)
    parts = [_parts(assignment, axes) for assignment in left]
    seen: set[object] = set()
    chosen: list[Assignment] = []
    while left and len(chosen) < count:
        gains = [(_gain(part, seen), -index) for index, part in enumerate(parts)]
        best = -max(gains)[1]
        seen.update(parts[best])
        seen.update(itertools.combinations(parts[best], 2))
        chosen.append(left.pop(best))
        parts.pop(best)
    return chosen


def whole(
    pool: Sequence[Assignment], axes: Sequence[str], covered: int, seed: str
) -> list[Assignment]:
    """All of the pool in random order, but for the first ones, which cover values and pairs."""
    first = covering(pool, axes, covered, seed)
    begun = {id(assignment) for assignment in first}
    rest = [assignment for assignment in pool if id(assignment) not in begun]
    random.Random(seed).shuffle(rest)
    return first + rest


def random_assignment(space: Space, rng: random.Random) -> Assignment:
    """One assignment, each axis drawn evenly; for spaces that are too large to list."""
    assignment: Assignment = dict(space.fixed)
    for name, axis in space.parameters.items():
        if is_active(space, name, assignment):
            assignment[name] = axis[rng.randrange(len(axis))]
    return assignment


def _parts(assignment: Assignment, axes: Sequence[str]) -> tuple[Part, ...]:
    return tuple((axis, assignment[axis]) for axis in axes if axis in assignment)


def _gain(parts: tuple[Part, ...], seen: set[object]) -> tuple[int, int]:
    values = sum(part not in seen for part in parts)
    pairs = sum(pair not in seen for pair in itertools.combinations(parts, 2))
    return values, pairs
