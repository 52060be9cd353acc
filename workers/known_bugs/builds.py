"""What a build's label tells of its age.

llama-server 0.5.0-dev (build 11312, commit 0c1e57098)    since August 2026
llama-server 9235 (d14ce3dab)                             before, and most forks
b11434, b10018-1.2.0                                      names of releases
xllamacpp 2026.10.11549                                   the last part is llama.cpp's number
"""

from __future__ import annotations

import re
from functools import lru_cache

Release = tuple[int, ...]

# A build number counts commits. A build outside of git has 0, one of a shallow clone 1: no
# llama.cpp that has a number below this can be told from those.
LEAST_BUILD = 1000

_NUMBERS = (
    re.compile(r"\bbuild (\d{1,7})\b"),
    re.compile(r"(?<![\d.])(\d{1,7}) \([0-9a-f]{7,40}(?:-dirty)?\)"),
    re.compile(r"\bb(\d{3,7})\b"),
    re.compile(r"\bxllamacpp \d{4}\.\d{1,2}\.(\d{1,7})\b"),
)
_RELEASE = re.compile(r"(?<![\d.])v?(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?![\d.])")


@lru_cache(maxsize=256)
def build_number(label: str) -> int | None:
    """The number of a build's label; None where it has none that means anything."""
    for pattern in _NUMBERS:
        found = pattern.search(label)
        if found is not None:
            number = int(found[1])
            return number if number >= LEAST_BUILD else None
    return None


@lru_cache(maxsize=256)
def release_of(label: str) -> Release | None:
    """The release of a label (0.4.6 of "0.4.6-dev (build 11795, ...)"); None without one."""
    found = _RELEASE.search(label)
    return tuple(int(part) for part in found.groups()) if found else None
