"""Named variants of extra flags: `variants: {numa: "--numa distribute"}`, `flags: [plain, numa]`.

The value of `flags` then carries both, as `numa: --numa distribute`: tables and conditions take
the name, a command line the flags. Flags without a name stand as typed, and are their own name.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from functools import lru_cache

_NAMED = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9_.-]{0,63}):(?: (?P<flags>.*)|$)")


def named(value: object, variants: Mapping[str, str]) -> object:
    """A value of `flags` with the flags of the variant that it names, if it names one."""
    if isinstance(value, str) and value in variants:
        return f"{value}: {variants[value]}".rstrip()
    return value


@lru_cache(maxsize=1024)
def name_of(text: str) -> str:
    """What a value of `flags` is called: its variant's name, else the flags themselves."""
    found = _NAMED.match(text)
    return found["name"] if found else text


@lru_cache(maxsize=1024)
def flags_of(text: str | None) -> str:
    """The flags of a value, as typed on a command line; "" where there are none."""
    found = _NAMED.match(text or "")
    return (found["flags"] or "") if found else (text or "")


def problem_of(variants: Mapping[str, str]) -> str | None:
    """What is wrong with the variants of a space, None where nothing is."""
    seen: dict[tuple[str, ...], str] = {}
    for name, flags in variants.items():
        if not _NAMED.fullmatch(f"{name}:"):
            return f"{name!r} is no name (letters, digits, '.', '_' and '-')"
        try:
            words = tuple(shlex.split(flags))
        except ValueError as error:
            return f"the flags of {name} cannot be read ({error})"
        if words and not words[0].startswith("-"):
            return f"the flags of {name} begin with {words[0]!r}, which is no flag"
        if words in seen:
            return f"{name} and {seen[words]} are the same flags"
        seen[words] = name
    return None
