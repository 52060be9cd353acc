"""The space that a set of points dominates up to a reference point: one number for a front."""

from __future__ import annotations

from collections.abc import Sequence

from search_spaces.metrics import Direction

Point = tuple[float, ...]


def hypervolume(
    points: Sequence[Sequence[float]],
    reference: Sequence[float],
    directions: Sequence[Direction] | None = None,
) -> float:
    """Exact hypervolume for any number of objectives, by slicing along the first one.

    `points` is (n, objectives), `reference` the worst corner, in the points' own units; all
    directions default to minimising. Points beyond the reference count nothing. The cost grows
    with n^(objectives - 1): meant for fronts of tens of points in two to four objectives.
    After E. Zitzler and L. Thiele (1998); slicing after L. While et al. (2006).
    Raises ValueError when the numbers of objectives differ.
    """
    width = len(reference)
    ways = directions or [Direction.MINIMIZE] * width
    if len(ways) != width or any(len(point) != width for point in points):
        raise ValueError("points, reference and directions differ in their number of objectives")
    signs = [1.0 if way is Direction.MINIMIZE else -1.0 for way in ways]
    corner = tuple(s * r for s, r in zip(signs, reference, strict=True))
    turned = {tuple(s * v for s, v in zip(signs, point, strict=True)) for point in points}
    inside = [p for p in turned if all(v < c for v, c in zip(p, corner, strict=True))]
    return _volume(inside, corner)


def _volume(points: list[Point], corner: Point) -> float:
    """The volume between the points and the corner, everything to be minimised."""
    if not points:
        return 0.0
    if len(corner) == 1:
        return corner[0] - min(points)[0]
    total, slab = 0.0, []
    ordered = sorted(points)
    for index, point in enumerate(ordered):
        slab.append(point[1:])
        end = ordered[index + 1][0] if index + 1 < len(ordered) else corner[0]
        if end > point[0]:
            slab = _non_dominated(slab)
            total += (end - point[0]) * _volume(slab, corner[1:])
    return total


def _non_dominated(points: list[Point]) -> list[Point]:
    kept: list[Point] = []
    for point in sorted(set(points)):
        if not any(all(k <= p for k, p in zip(other, point, strict=True)) for other in kept):
            kept.append(point)
    return kept
