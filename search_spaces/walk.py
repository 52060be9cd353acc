"""Walking a space: its candidates in order, and the baseline of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from search_spaces.candidate import NO_SPEC, Candidate, Value
from search_spaces.expressions import Expression
from search_spaces.parameters import PAIRS, PARAMETERS, candidate_of, in_parts, without_effect
from search_spaces.space import Space
from search_spaces.variants import name_of

Assignment = dict[str, Value]


def names_of(assignment: Mapping[str, Value | None]) -> dict[str, Any]:
    """What an expression sees: every parameter (None when absent), pairs also in two parts.

    Extra flags are seen by the name of their variant, where they have one.
    """
    names: dict[str, Any] = dict.fromkeys(PARAMETERS)
    names["spec"] = NO_SPEC
    names.update(assignment)
    if names["flags"]:
        names["flags"] = name_of(str(names["flags"]))
    for pair, (key_k, key_v) in PAIRS.items():
        if names[pair]:
            names[key_k], _, names[key_v] = str(names[pair]).partition("/")
        elif names[key_k] and names[key_v]:
            names[pair] = f"{names[key_k]}/{names[key_v]}"
    return names


def is_active(space: Space, name: str, assignment: Mapping[str, Value]) -> bool:
    """Whether an axis applies, given the parameters before it.

    It does not where its `when` fails, nor where the launch would ignore it (n_max, say, once
    `spec` is known to be none): its values would all be one candidate.
    """
    names = names_of(assignment)
    if name in without_effect(names["spec"]) and _follows_spec(space, name):
        return False
    condition = space.conditions.get(name)
    return condition is None or condition.true(names)


def is_forbidden(space: Space, assignment: Mapping[str, Value]) -> str | None:
    """The first `forbid` rule that this assignment breaks. What its launch ignores is absent."""
    names = _launch_names(assignment) if space.forbidden else {}
    return next((rule.text for rule in space.forbidden if rule.true(names)), None)


def assignments(space: Space) -> Iterator[Assignment]:
    """Every assignment in declared order, lazily, forbidden ones included."""
    axes = list(space.parameters.items())
    conditions = {name: _Remembered(rule) for name, rule in space.conditions.items()}
    ignorable = [_follows_spec(space, name) for name, _ in axes]

    def active(index: int, so_far: Assignment) -> bool:
        name = axes[index][0]
        if ignorable[index] and name in without_effect(str(so_far.get("spec", NO_SPEC))):
            return False
        return name not in conditions or conditions[name].true(names_of(so_far))

    def extend(index: int, so_far: Assignment) -> Iterator[Assignment]:
        if index == len(axes):
            yield dict(so_far)
            return
        if not active(index, so_far):
            yield from extend(index + 1, so_far)
            return
        name, axis = axes[index]
        for value in axis:
            so_far[name] = value
            yield from extend(index + 1, so_far)
        del so_far[name]

    yield from extend(0, dict(space.fixed))


def candidates(space: Space) -> Iterator[tuple[Candidate, str | None]]:
    """Every distinct candidate with the `forbid` rule that excludes it, if one does."""
    seen: set[Candidate] = set()
    rules = [_Remembered(rule) for rule in space.forbidden]
    for assignment in assignments(space):
        candidate = candidate_of(assignment)
        if candidate not in seen:
            seen.add(candidate)
            names = _launch_names(assignment) if rules else {}
            yield candidate, next((r.expression.text for r in rules if r.true(names)), None)


def baseline_assignment(space: Space, candidate: Candidate) -> Assignment:
    """The assignment, in the parameters of the space, that this candidate is compared with.

    `fix` goes before `per`, and both before the fixed or first value. Pairs are filled in by
    their parts, so a template may fix `kv` where the axes are `kv_k` and `kv_v`, and the reverse.
    """
    have = names_of(candidate.as_dict()) | {"flags": candidate.flags}
    varied = {part for name in space.baseline.per for part in PAIRS.get(name, (name,))}
    fix = in_parts(space.baseline.fix)
    template = {n: have[n] for n in varied if have.get(n) is not None} | fix
    base: Assignment = {}
    for name in [*space.fixed, *space.parameters]:
        if name in space.fixed:
            base |= in_parts({name: space.fixed[name]})
        elif is_active(space, name, base):
            base |= in_parts({name: space.parameters[name][0]})
        parts = PAIRS.get(name, (name,))
        base |= {part: template[part] for part in parts if part in template}
    base |= fix
    for pair, (key_k, key_v) in PAIRS.items():
        whole = pair in space.fixed or pair in space.parameters
        if whole and key_k in base and key_v in base:
            base[pair] = f"{base.pop(key_k)}/{base.pop(key_v)}"
    return base


def baseline_of(space: Space, candidate: Candidate) -> Candidate:
    """The candidate that this one is compared with."""
    return candidate_of(baseline_assignment(space, candidate))


def _follows_spec(space: Space, name: str) -> bool:
    """Whether `spec` is decided before this axis: fixed, absent, or an earlier axis."""
    order = list(space.parameters)
    return "spec" not in order or name in order[order.index("spec") + 1 :]


def _launch_names(assignment: Mapping[str, Value]) -> dict[str, Any]:
    """`names_of` without what the launch would ignore."""
    names = names_of(assignment)
    return names | dict.fromkeys(without_effect(names["spec"]))


class _Remembered:
    """An expression evaluated once for each combination of the values that it reads."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self._reads = sorted(expression.names)
        self._verdicts: dict[tuple[object, ...], bool] = {}

    def true(self, names: Mapping[str, Any]) -> bool:
        key = tuple(map(names.get, self._reads))
        if key not in self._verdicts:
            self._verdicts[key] = self.expression.true(names)
        return self._verdicts[key]
