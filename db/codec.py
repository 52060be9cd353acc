"""The contract's dataclasses as JSON, and back. What goes in comes out equal.

Floats that are not finite travel as the texts NaN, Infinity and -Infinity: neither PostgreSQL
nor SQLite's JSON functions accept the bare words that Python would write.
"""

from __future__ import annotations

import json
import math
from datetime import datetime
from enum import StrEnum
from pathlib import PurePath
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from db.errors import DatabaseError

T = TypeVar("T")
_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}  # building one takes milliseconds


def _adapter(kind: Any) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def to_json(value: Any) -> Any:
    """A dataclass, a pydantic model or a container of them as dicts, lists and scalars."""
    # Not mode="json": that would turn every float that is not finite into null.
    return _spelled(_adapter(type(value)).dump_python(value))


def from_json(kind: type[T], data: Any) -> T:
    """The inverse of `to_json`. Raises DatabaseError when the data is not of that kind."""
    try:
        return _adapter(kind).validate_python(data)  # type: ignore[no-any-return]
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise DatabaseError(
            f"a stored {getattr(kind, '__name__', kind)} cannot be read: {place}: {first['msg']}.",
            "It was written by another version of orchestrate: use that version.",
        ) from None


def dumps(value: Any) -> str:
    """JSON text for a column; keeps the order of keys."""
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except ValueError:
        return json.dumps(_spelled(value), allow_nan=False, separators=(",", ":"))


def _spelled(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {_spelled(key): _spelled(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_spelled(item) for item in value]
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return value
