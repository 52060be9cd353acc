"""The same value with every string in it changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

T = TypeVar("T")


def with_strings(value: T, change: Callable[[str], str]) -> T:
    """Changes strings in dataclasses, tuples, lists and the values of mappings, all the way down.

    Keys of mappings (metric names, our own words) and members of enumerations stay.
    """
    return _changed(value, change)  # type: ignore[no-any-return]


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if type(value) is str:
        return change(value)
    if isinstance(value, tuple | list):
        return type(value)(_changed(item, change) for item in value)
    if isinstance(value, Mapping):
        return {key: _changed(item, change) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        parts = {f.name: _changed(getattr(value, f.name), change) for f in fields(value) if f.init}
        return replace(value, **parts)
    return value
