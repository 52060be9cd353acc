"""Amounts as people type them: 1GiB, 128k, 0.5%, 10s. A unit that is missing is asked for."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from workers.contract.errors import OrchestrateError

_AMOUNT = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*([A-Za-z%]*)")
_MIB = 2.0**20
_SIZES = {
    "B": 1 / _MIB,
    **{f"{p}iB": 1024.0**n / _MIB for n, p in enumerate("KMGT", 1)},
    **{f"{p}B": 1000.0**n / _MIB for n, p in enumerate("KMGT", 1)},
}
_TOKENS = {"": 1.0, "k": 1024.0, "Ki": 1024.0}
_TIMES = {"ms": 0.001, "s": 1.0, "min": 60.0}


class QuantityError(OrchestrateError):
    """A text that is no amount of what was asked for."""


def size_mib(text: str) -> float:
    """A size in MiB from `1GiB`, `512MiB`, `2GB` (decimal). Raises QuantityError."""
    return _parsed(text, "a size", _SIZES, "Write a number and a unit: 1GiB, 512MiB.")


def tokens(text: str) -> int:
    """A number of tokens from `120000` or `128k` (1k is 1,024). Raises QuantityError."""
    hint = "Write whole tokens: 120000, or 128k (1k is 1,024)."
    found = _parsed(text, "a number of tokens", _TOKENS, hint)
    if found != int(found):
        raise QuantityError(f"{text!r} is no whole number of tokens.", hint)
    return int(found)


def percent(text: str) -> float:
    """Per cent from `0.5%`; may be negative. Raises QuantityError."""
    hint = "Write per cent with its sign: 0.5%."
    return _parsed(text, "a percentage", {"%": 1.0}, hint, negative=True)


def seconds(text: str) -> float:
    """Seconds from `10s`, `500ms`, `2min`. Raises QuantityError."""
    return _parsed(text, "a time", _TIMES, "Write a number and a unit: 10s, 500ms, 2min.")


def _parsed(
    text: str, what: str, units: Mapping[str, float], hint: str, negative: bool = False
) -> float:
    match = _AMOUNT.fullmatch(text.strip())
    by_name = {name.lower(): factor for name, factor in units.items()}
    if match is None or match[2].lower() not in by_name:
        raise QuantityError(f"{text!r} is not {what}.", hint)
    found = float(match[1]) * by_name[match[2].lower()]
    if not math.isfinite(found) or (found < 0 and not negative):
        raise QuantityError(f"{text!r} is not {what} that is possible.", hint)
    return found
