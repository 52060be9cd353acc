"""What a schema cannot say: names that must exist, conditions that can never hold."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from search_spaces.candidate import NO_SPEC, Candidate, Value
from search_spaces.errors import SpaceError
from search_spaces.expressions import Expression
from search_spaces.grammar import RIG_FACTS
from search_spaces.metrics import METRICS
from search_spaces.names import did_you_mean, shown
from search_spaces.parameters import PAIRS, PARAMETERS, without_effect
from search_spaces.space import Space
from search_spaces.variants import name_of
from search_spaces.walk import names_of

_TRY_AT_MOST = 20_000  # combinations tried before a condition is taken as possible
_SAMPLE = 1.2345  # stands for any metric: an odd value, so that no difference of two is zero


def check(space: Space) -> None:
    """Raises SpaceError for the first thing that is wrong; `key` says where."""
    _parameters(space)
    _pairs(space)
    _conditions(space)
    _effects(space)
    _goals(space)
    _baseline(space)
    _engines(space)
    _variants(space)
    with _at("measure.divergence.reference"):
        PARAMETERS["kv"].coerce(space.measure.divergence.reference)


@contextmanager
def _at(key: str) -> Iterator[None]:
    """Gives the errors of a check that does not know its place the key they belong to."""
    try:
        yield
    except SpaceError as error:
        raise SpaceError(error.message, key=key, hint=error.hint) from None


def _known(name: str, key: str, valid: Iterable[str], what: str) -> None:
    valid = list(valid)
    if name not in valid:
        raise SpaceError(f"unknown {what} {shown(name)}.", key=key, hint=did_you_mean(name, valid))


def _value(name: str, value: Value, key: str) -> None:
    _known(name, key, PARAMETERS, "parameter")
    with _at(key):
        PARAMETERS[name].coerce(value)


def _parameters(space: Space) -> None:
    for name, value in space.fixed.items():
        key = f"fixed.{name}"
        _value(name, value, key)
        if name in space.parameters:
            raise SpaceError("both fixed and an axis.", key=key, hint="Keep one of the two.")
    for name, axis in space.parameters.items():
        _known(name, f"parameters.{name}", PARAMETERS, "parameter")
        for index, value in enumerate(axis.values or ()):
            _value(name, value, f"parameters.{name}.values.{index}")
        for bound, end in {"min": axis.min, "max": axis.max}.items():
            if end is not None:
                _value(name, end, f"parameters.{name}.{bound}")
        if PARAMETERS[name].kind is int and isinstance(axis.step, float):
            key = f"parameters.{name}.step"
            raise SpaceError(f"{axis.step} is not a whole number.", key=key)
    if "model" not in {*space.fixed, *space.parameters}:
        raise SpaceError(
            "no model is named.", key="parameters", hint="Add fixed: {model: PATH} or an axis."
        )
    if "model" in space.parameters and space.parameters["model"].when is not None:
        raise SpaceError(
            "there is no candidate without a model.",
            key="parameters.model.when",
            hint="Remove the condition, or name under forbid what not to try.",
        )


def _pairs(space: Space) -> None:
    for pair, parts in PAIRS.items():
        for place, given in (("fixed", space.fixed), ("parameters", space.parameters)):
            for part in parts:
                if part in given and (pair in space.fixed or pair in space.parameters):
                    raise SpaceError(
                        f"{part} is already part of {pair}.",
                        key=f"{place}.{part}",
                        hint=f"Use {pair}, or its two parts.",
                    )


def _conditions(space: Space) -> None:
    before = set(space.fixed)
    for name, axis in space.parameters.items():
        if axis.when is not None:
            key = f"parameters.{name}.when"
            condition = _rule(space, axis.when, key)
            for read in sorted(_sources(condition) & space.parameters.keys() - before):
                raise SpaceError(
                    f"refers to {read!r}, which comes later.", key=key, hint=f"Put {read} first."
                )
            with _at(key):
                possible = _possible(space, condition)
            if not possible:
                raise SpaceError(
                    f"{axis.when!r} can never hold with the values of this space.",
                    key=key,
                    hint="Change the condition, or remove the axis.",
                )
        before.add(name)
    for index, text in enumerate(space.forbid):
        _rule(space, text, f"forbid.{index}")


def _rule(space: Space, text: str, key: str) -> Expression:
    """A condition over parameters, with every part of it evaluated once."""
    with _at(key):
        rule = Expression.parse(text)
    for read in sorted(rule.names):
        _known(read, key, PARAMETERS, "parameter")
    with _at(key):
        rule.probe(_first_values(space))
    return rule


def _sources(condition: Expression) -> set[str]:
    """The parameters whose values it reads: a pair may be written as its parts, or they as it."""
    read = set(condition.names)
    for pair, parts in PAIRS.items():
        read |= {*parts} if pair in condition.names else set()
        read |= {pair} if condition.names & {*parts} else set()
    return read


def _first_values(space: Space) -> dict[str, Any]:
    """Every parameter of the space with its fixed or first value."""
    firsts = {name: axis[0] for name, axis in space.parameters.items()}
    return names_of({**space.fixed, **firsts})


def _possible(space: Space, condition: Expression) -> bool:
    """Whether some values of the parameters it reads make the condition hold."""
    read = _sources(condition)
    axes = [name for name in space.parameters if name in read]
    if math.prod(len(space.parameters[name]) + 1 for name in axes) > _TRY_AT_MOST:
        return True
    options: list[tuple[Value | None, ...]] = []
    for name in axes:
        axis = space.parameters[name]
        options.append(tuple(axis) if axis.when is None else (*axis, None))
    return any(
        condition.true(names_of({**space.fixed, **dict(zip(axes, values, strict=True))}))
        for values in itertools.product(*options)
    )


def _effects(space: Space) -> None:
    """An axis that every launch of the space would ignore is a mistake."""
    specs = [space.fixed.get("spec", NO_SPEC)]
    if "spec" in space.parameters:
        axis = space.parameters["spec"]
        specs = [*axis, NO_SPEC] if axis.when is not None else [*axis]
    ignored = frozenset.intersection(*(without_effect(str(spec)) for spec in specs))
    for name in space.parameters:
        if name in ignored:
            raise SpaceError(
                f"has no effect with spec {', '.join(str(spec) for spec in specs)[:60]}.",
                key=f"parameters.{name}",
                hint="Add a kind of speculation that reads it to spec, or remove the axis.",
            )


def _goals(space: Space) -> None:
    if not space.objectives:
        raise SpaceError(
            "no objective is named.",
            key="objectives",
            hint="For example: objectives: [tok_s, ppl].",
        )
    for name in space.objectives:
        _known(name, f"objectives.{name}", {*METRICS, "ctx"}, "metric")
    sample = {**_first_values(space), **dict.fromkeys(METRICS, _SAMPLE)}
    sample["rig"] = SimpleNamespace(**RIG_FACTS)
    for index, text in enumerate(space.constraints):
        key = f"constraints.{index}"
        with _at(key):
            limit = Expression.parse(text)
        for read in sorted(limit.names):
            _known(read, key, sample, "metric or parameter")
        with _at(key):
            limit.probe(sample)
            limit.violation(sample)


def _baseline(space: Space) -> None:
    for name, value in space.baseline.fix.items():
        _value(name, value, f"baseline.fix.{name}")
    for index, name in enumerate(space.baseline.per):
        _known(name, f"baseline.per.{index}", {*PARAMETERS, "rig"}, "parameter")


def _variants(space: Space) -> None:
    """Where variants are named, what is neither one nor a flag is a misspelt name."""
    places = {"fixed.flags": space.fixed.get("flags")}
    axis = space.parameters.get("flags")
    places |= {f"parameters.flags.values.{i}": value for i, value in enumerate(axis or ())}
    places["baseline.fix.flags"] = space.baseline.fix.get("flags")
    for key, value in places.items():
        text = "-" if value is None else str(value)
        if space.variants and not text.startswith("-"):
            _known(name_of(text), key, space.variants, "variant")


def _engines(space: Space) -> None:
    axis = space.parameters.get("engine")
    named = {"fixed.engine": space.fixed.get("engine")}
    named["baseline.fix.engine"] = space.baseline.fix.get("engine")
    named |= {f"parameters.engine.values.{i}": name for i, name in enumerate(axis or ())}
    if "engine" not in space.fixed and (axis is None or axis.when is not None):
        named["engines"] = Candidate(model="").engine
    for key, name in named.items():
        if name is not None:
            _known(str(name), key, space.engines, "engine")
