"""From a validation report or a dotted key to a SpaceError at its line, in words for people."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ValidationError

from search_spaces.errors import SpaceError
from search_spaces.names import did_you_mean, shown
from search_spaces.source import Place, Source
from search_spaces.space import Space

# By pydantic's error types; a value that fits no branch of a union fails with several.
_WORDS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"bool_type", "string_type"}), "is not a text, a number, true or false"),
    (frozenset({"int_type", "float_type"}), "is not a number"),
    (frozenset({"int_type"}), "is not a whole number"),
    (frozenset({"float_type"}), "is not a number"),
    (frozenset({"string_type"}), "is not a text"),
    (frozenset({"string_too_short"}), "is an empty text"),
    (frozenset({"tuple_type"}), "is not a list"),
    (frozenset({"dict_type"}), "is not a mapping of keys"),
    (frozenset({"model_type"}), "is not a mapping of keys"),
    (
        frozenset({"string_pattern_mismatch"}),
        "is not a name (letters, digits, '.', '_' and '-', at most 64, a letter or digit first)",
    ),
)


def place_of(key: str, data: Any) -> Place:
    """The part of a dotted `key` that exists in the data; a list is also searched by value."""
    place: list[str | int] = []
    for part in key.split("."):
        step: str | int = part
        if isinstance(data, list):
            step = int(part) if part.isdecimal() else data.index(part) if part in data else part
        if _leads_on(data, step):
            place.append(step)
            data = data[step]
    return tuple(place)


def explain(error: ValidationError, source: Source, schema: type[BaseModel] = Space) -> SpaceError:
    """The first problem of a pydantic report; unknown keys come before all others."""
    problems = error.errors(include_url=False)
    first = min(problems, key=lambda problem: problem["type"] != "extra_forbidden")
    kinds = {p["type"] for p in problems if p["loc"][:-1] == first["loc"][:-1]}
    data, place = source.data, list[str | int]()
    for part in first["loc"]:  # locations also name branches of unions; those lead nowhere
        if _leads_on(data, part):
            place.append(part)
            data = data[part]
    hint = ""
    match first["type"]:
        case "extra_forbidden":
            message = f"unknown key {shown(place[-1])}"
            hint = did_you_mean(str(place[-1]), _keys_at(schema, place[:-1]))
        case "missing":
            place.append(first["loc"][-1])
            message = f"the key {place[-1]!r} is missing"
        case "value_error":
            message = first["msg"].removeprefix("Value error, ")
        case "literal_error" | "enum":
            expected = str(first["ctx"]["expected"])
            message = f"{shown(data)} is not {expected}"
            hint = did_you_mean(str(data), expected.split("'")[1::2])
        case kind:
            known = (words for fits, words in _WORDS if kind in fits and fits <= kinds)
            rule = first["msg"].replace("Input should", "should")
            message = f"{shown(data)} {next(known, rule)}"
    key = ".".join(str(part) for part in place)
    line = source.line(tuple(place))
    return SpaceError(f"{message}.", file=source.file, line=line, key=key, hint=hint)


def _leads_on(data: Any, step: str | int) -> bool:
    if isinstance(data, list):
        return isinstance(step, int) and step < len(data)
    return isinstance(data, dict) and step in data


def _keys_at(schema: type[BaseModel], place: Iterable[str | int]) -> list[str]:
    """The keys that the schema knows at a place."""
    kind: Any = schema
    for part in place:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            fields = {f.alias or n: f.annotation for n, f in kind.model_fields.items()}
            kind = fields.get(str(part))
        else:
            arguments = typing.get_args(kind)
            kind = arguments[-1] if arguments else None
        if isinstance(kind, types.UnionType):
            kind = next((a for a in typing.get_args(kind) if a is not type(None)), None)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [field.alias or name for name, field in kind.model_fields.items()]
    return []
