"""What a schema cannot say: names that must exist, conditions that can never hold."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable

from search_spaces.errors import SpaceError
from search_spaces.expressions import Expression
from search_spaces.metrics import METRICS
from search_spaces.names import did_you_mean
from search_spaces.parameters import PAIRS, PARAMETERS
from search_spaces.space import Space
from search_spaces.walk import names_of

_TRY_AT_MOST = 20_000  # combinations tried before a condition is taken as possible


def check(space: Space) -> None:
    """Raises SpaceError for the first thing that is wrong; `key` says where."""
    _parameters(space)
    _pairs(space)
    _conditions(space)
    _goals(space)
    _baseline(space)
    _engines(space)


def _known(name: str, key: str, valid: Iterable[str], what: str) -> None:
    valid = list(valid)
    if name not in valid:
        raise SpaceError(f"unknown {what} {name!r}.", key=key, hint=did_you_mean(name, valid))


def _at(key: str, action: Callable[[], object]) -> None:
    """Runs a check that does not know its place."""
    try:
        action()
    except SpaceError as error:
        raise SpaceError(error.message, key=key, hint=error.hint) from None


def _parameters(space: Space) -> None:
    for name, value in space.fixed.items():
        key = f"fixed.{name}"
        _known(name, key, PARAMETERS, "parameter")
        _at(key, lambda n=name, v=value: PARAMETERS[n].coerce(v))  # type: ignore[misc]
        if name in space.parameters:
            raise SpaceError("both fixed and an axis.", key=key, hint="Keep one of the two.")
    for name, axis in space.parameters.items():
        key = f"parameters.{name}"
        _known(name, key, PARAMETERS, "parameter")
        for value in axis.values if axis.values is not None else (axis[0], axis[len(axis) - 1]):
            _at(key, lambda n=name, v=value: PARAMETERS[n].coerce(v))  # type: ignore[misc]
    if "model" not in space.fixed and "model" not in space.parameters:
        raise SpaceError(
            "no model is named.", key="parameters", hint="Add fixed: {model: PATH} or an axis."
        )


def _pairs(space: Space) -> None:
    given = {**space.fixed, **space.parameters}
    for pair, parts in PAIRS.items():
        both = [part for part in parts if part in given]
        if pair in given and both:
            raise SpaceError(
                f"{both[0]} is already part of {pair}.",
                key=pair,
                hint=f"Use {pair}, or its two parts.",
            )


def _conditions(space: Space) -> None:
    before = list(space.fixed)
    for name, axis in space.parameters.items():
        if axis.when is not None:
            key = f"parameters.{name}.when"
            _at(key, lambda n=name: space.conditions)  # type: ignore[misc]
            condition = space.conditions[name]
            for read in sorted(condition.names):
                _known(read, key, PARAMETERS, "parameter")
                if read in space.parameters and read not in before:
                    raise SpaceError(
                        f"refers to {read!r}, which comes later.",
                        key=key,
                        hint=f"Put {read} first.",
                    )
            if not _possible(space, condition, key):
                raise SpaceError(
                    f"{axis.when!r} can never hold with the values of this space.",
                    key=key,
                    hint="Change the condition, or remove the axis.",
                )
        before.append(name)
    for index, text in enumerate(space.forbid):
        key = f"forbid.{index}"
        _at(key, lambda t=text: Expression.parse(t))  # type: ignore[misc]
        rule = Expression.parse(text)
        for read in sorted(rule.names):
            _known(read, key, PARAMETERS, "parameter")
        _possible(space, rule, key)


def _possible(space: Space, condition: Expression, key: str) -> bool:
    """Whether some values of the parameters it reads make the condition hold."""
    read = set(condition.names)
    for pair, parts in PAIRS.items():
        if read & {pair, *parts}:
            read |= {pair, *parts}
    axes = [name for name in space.parameters if name in read]
    if math.prod(len(space.parameters[name]) for name in axes) > _TRY_AT_MOST:
        return True
    for values in itertools.product(*(space.parameters[name].domain() for name in axes)):
        names = names_of({**space.fixed, **dict(zip(axes, values, strict=True))})
        try:
            if condition.true(names):
                return True
        except SpaceError as error:
            raise SpaceError(error.message, key=key) from None
    return False


def _goals(space: Space) -> None:
    if not space.objectives:
        raise SpaceError(
            "no objective is named.",
            key="objectives",
            hint="For example: objectives: [tok_s, ppl].",
        )
    for name in space.objectives:
        _known(name, f"objectives.{name}", {*METRICS, "ctx"}, "metric")
    for index, text in enumerate(space.constraints):
        key = f"constraints.{index}"
        _at(key, lambda t=text: Expression.parse(t))  # type: ignore[misc]
        for read in sorted(Expression.parse(text).names):
            _known(read, key, {*METRICS, *PARAMETERS, "rig"}, "metric or parameter")


def _baseline(space: Space) -> None:
    for name, value in space.baseline.fix.items():
        key = f"baseline.fix.{name}"
        _known(name, key, PARAMETERS, "parameter")
        _at(key, lambda n=name, v=value: PARAMETERS[n].coerce(v))  # type: ignore[misc]
    for name in space.baseline.per:
        _known(name, "baseline.per", {*PARAMETERS, "rig"}, "parameter")


def _engines(space: Space) -> None:
    used = space.parameters["engine"].domain() if "engine" in space.parameters else ()
    for name in (*used, space.fixed.get("engine", "embedded")):
        if name == "embedded" and "engine" not in space.fixed and used:
            continue
        _known(str(name), "engines", space.engines, "engine")
