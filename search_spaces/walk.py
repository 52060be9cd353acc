"""Walking a space: its candidates in order, and the baseline of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from search_spaces.candidate import Candidate, Value
from search_spaces.parameters import PAIRS, PARAMETERS, candidate_of
from search_spaces.space import Space

Assignment = dict[str, Value]


def names_of(assignment: Mapping[str, Value]) -> dict[str, Any]:
    """What an expression sees: every parameter (None when absent), pairs also in two parts."""
    names: dict[str, Any] = dict.fromkeys(PARAMETERS)
    names["spec"] = "none"
    names.update(assignment)
    for pair, parts in PAIRS.items():
        if names[pair]:
            names.update(zip(parts, str(names[pair]).split("/"), strict=True))
        elif names[parts[0]] and names[parts[1]]:
            names[pair] = f"{names[parts[0]]}/{names[parts[1]]}"
    return names


def is_active(space: Space, name: str, assignment: Mapping[str, Value]) -> bool:
    """Whether an axis applies, given the parameters before it."""
    condition = space.conditions.get(name)
    return condition is None or condition.true(names_of(assignment))


def is_forbidden(space: Space, assignment: Mapping[str, Value]) -> str | None:
    """The first `forbid` rule that this assignment breaks."""
    if not space.forbidden:
        return None
    names = names_of(assignment)
    return next((rule.text for rule in space.forbidden if rule.true(names)), None)


def assignments(space: Space) -> Iterator[Assignment]:
    """Every assignment in declared order, lazily, forbidden ones included."""
    order = list(space.parameters)
    # A condition's verdict depends only on the parameters it names.
    verdicts: dict[tuple[object, ...], bool] = {}

    def active(name: str, so_far: Assignment) -> bool:
        condition = space.conditions.get(name)
        if condition is None:
            return True
        names = names_of(so_far)
        key = (name, *(names.get(read) for read in sorted(condition.names)))
        if key not in verdicts:
            verdicts[key] = condition.true(names)
        return verdicts[key]

    def extend(index: int, so_far: Assignment) -> Iterator[Assignment]:
        if index == len(order):
            yield dict(so_far)
            return
        name = order[index]
        if not active(name, so_far):
            yield from extend(index + 1, so_far)
            return
        for value in space.parameters[name]:
            so_far[name] = value
            yield from extend(index + 1, so_far)
        del so_far[name]

    yield from extend(0, dict(space.fixed))


def candidates(space: Space) -> Iterator[tuple[Candidate, str | None]]:
    """Every distinct candidate with the `forbid` rule that excludes it, if one does."""
    seen: set[Candidate] = set()
    for assignment in assignments(space):
        candidate = candidate_of(assignment)
        if candidate not in seen:
            seen.add(candidate)
            yield candidate, is_forbidden(space, assignment)


def baseline_assignment(space: Space, candidate: Candidate) -> Assignment:
    """The assignment of the candidate that this one is compared with."""
    base: Assignment = {}
    have = names_of(candidate.as_dict())
    fix = space.baseline.fix
    for name in [*space.fixed, *space.parameters]:
        if name in fix:
            base[name] = fix[name]
        elif name in space.baseline.per and have.get(name) is not None:
            base[name] = have[name]
        elif name in space.fixed:
            base[name] = space.fixed[name]
        elif is_active(space, name, base):
            base[name] = space.parameters[name][0]
    base.update(fix)
    return base


def baseline_of(space: Space, candidate: Candidate) -> Candidate:
    """The candidate that this one is compared with."""
    return candidate_of(baseline_assignment(space, candidate))
