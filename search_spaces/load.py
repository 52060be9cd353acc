"""From a file or a builtin name to a checked Space."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from search_spaces.checks import check
from search_spaces.errors import SpaceError
from search_spaces.names import did_you_mean
from search_spaces.source import Place, Source, parse
from search_spaces.space import Space

BUILTIN = Path(__file__).parent


def builtin_names() -> list[str]:
    """The spaces that come with the package."""
    return sorted(path.stem for path in BUILTIN.glob("*.yaml"))


def find(reference: str) -> Path:
    """A file by path, else a builtin space by name with or without .yaml."""
    path = Path(reference).expanduser()
    if path.is_file():
        return path
    if path.is_dir():
        raise SpaceError(f"{reference} is a directory.", hint="Name the YAML file in it.")
    name = reference.removesuffix(".yaml").removesuffix(".yml")
    if name in builtin_names():
        return BUILTIN / f"{name}.yaml"
    raise SpaceError(
        f"no file {reference!r}, and no builtin space of that name.",
        hint=did_you_mean(name, builtin_names()),
    )


def load(reference: str) -> Space:
    """The checked space; raises SpaceError that names file, line, key and nearest valid name."""
    try:
        path = find(reference)
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SpaceError("the file is not UTF-8 text.", file=reference) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SpaceError(f"cannot be read: {reason}.", file=reference) from None
    return loads(text, file=str(path))


def loads(text: str, file: str = "<text>") -> Space:
    """The same from text."""
    source = parse(text, file)
    if not isinstance(source.data, dict):
        raise SpaceError(
            "a space is a mapping of keys.",
            file=file,
            line=1,
            hint="Start with name: and objectives:.",
        )
    try:
        space = Space.model_validate(source.data)
        check(space)
    except ValidationError as error:
        raise _explain(error, source) from None
    except SpaceError as error:
        raise error.at(file, source.line(_place_of(error.key, source.data))) from None
    return space


def _place_of(key: str, data: Any) -> Place:
    """The longest dotted prefix of `key` that exists in the data."""
    place: list[str | int] = []
    for part in key.split("."):
        if isinstance(data, dict) and part in data:
            place.append(part)
            data = data[part]
        elif isinstance(data, list) and part.isdigit() and int(part) < len(data):
            place.append(int(part))
            data = data[int(part)]
    return tuple(place)


def _explain(error: ValidationError, source: Source) -> SpaceError:
    """The first problem of a pydantic report, in our words, at its line."""
    problems = error.errors(include_url=False, include_context=True)
    first = min(problems, key=lambda p: p["type"] != "extra_forbidden")
    place = tuple(part for part in first["loc"] if not _is_union_branch(part))
    key = ".".join(str(part) for part in place)
    line = source.line(place)
    match first["type"]:
        case "extra_forbidden":
            message = f"unknown key {place[-1]!r}."
            hint = did_you_mean(str(place[-1]), _keys_at(place[:-1]))
        case "missing":
            message, hint = f"the key {place[-1]!r} is missing.", ""
        case "value_error":
            message, hint = f"{first['msg'].removeprefix('Value error, ')}.", ""
        case _:
            shown = repr(first.get("input"))
            shown = shown if len(shown) < 60 else shown[:57] + "..."
            message, hint = f"{shown}: {first['msg'][0].lower()}{first['msg'][1:]}.", ""
    return SpaceError(message, file=source.file, line=line, key=key, hint=hint)


def _is_union_branch(part: str | int) -> bool:
    return part in ("bool", "int", "float", "str")


def _keys_at(place: Iterable[str | int]) -> list[str]:
    """The keys that the schema knows at a place."""
    kind: Any = Space
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
