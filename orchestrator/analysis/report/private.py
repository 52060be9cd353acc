"""Takes out of a text what a person would not post: paths, user and host names, card ids."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from search_spaces.metrics import METRICS

PATH, USER, HOST, UUID, ADDRESS, SECRET = (
    "/path/to",
    "USER",
    "HOST",
    "UUID",
    "ADDRESS",
    "SECRET",
)

_NAME = r"[^\s/\\\"'`<>|:,;()\[\]{}]"  # what a part of a path is made of, in running text
# At least two parts, so that /health and tok/s stay; not after a letter, a colon or a slash, so
# that q8_0/q5_1 and addresses of web pages stay.
_POSIX = re.compile(rf"(?<![\w.:/~…-])(?:~[\w.-]*/|/{_NAME}+/)(?:{_NAME}+/)*({_NAME}*)")
_WINDOWS = re.compile(
    rf"(?<!\w)(?:[A-Za-z]:|\\\\)[\\/]*(?:[^\\/:*?\"<>|\n]+\\+|{_NAME}+/)*({_NAME}*)"
)
_HOMES = re.compile(
    rf"(?:file:/*|(?<!\w)):?/(?:home|Users|root|mnt|media)/(?:{_NAME}+/)*({_NAME}*)"
)
# Of the system, the same on every machine.
_SYSTEM = re.compile(r"/(?:proc|sys|dev|v1)/|/path/to/")

_CARD = re.compile(r"\b(GPU|MIG)-[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b")
_UUID = re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b")
_ADDRESS = re.compile(
    r"(?<![\d.])(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)(?:\.\d{1,3}){2,3}(?![\d.])"
)
_SECRET = re.compile(r"(--api-key(?:[ =]|\s+))\S+|\bhf_[A-Za-z0-9]{16,}")
_HOME = re.compile(r"(?:/home|/Users|\\Users)[/\\]+([^/\\\n]+)")

# Names that tell nothing, and words that a report cannot do without.
_COMMON = frozenset({"localhost", "root", "user", "cpu", "cuda", "gpu", "llama", "rig", *METRICS})


@dataclass(frozen=True)
class Redactor:
    """Called with a text, gives the text without what is private. Idempotent.

    `paths`, `hosts` and `cards` are known from the database and replaced wherever they stand;
    of a path the last part stays. `users` is completed by the homes that the paths lie in. What
    is not known is found by its form. Names of one letter and a few common words stay.
    """

    paths: frozenset[str] = frozenset()
    users: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()
    cards: frozenset[str] = field(default_factory=frozenset)

    def __call__(self, text: str) -> str:
        """The text as it can be shown to anybody."""
        for path in self._paths:
            text = text.replace(path, f"{PATH}/{_last(path)}")
        text = _HOMES.sub(_shortened, text)
        text = _POSIX.sub(_shortened, text)
        text = _WINDOWS.sub(_shortened, text)
        for pattern, stands_for in self._words:
            text = pattern.sub(stands_for, text)
        text = _CARD.sub(rf"\1-{UUID}", text)
        text = _UUID.sub(UUID, text)
        text = _ADDRESS.sub(ADDRESS, text)
        return _SECRET.sub(lambda found: f"{found[1] or ''}{SECRET}", text)

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        """The longest first: a folder must not be replaced before what lies in it."""
        deep = (p for p in self.paths if re.search(r"[/\\]", p) and not p.startswith(PATH))
        return tuple(sorted(deep, key=lambda path: (-len(path), path)))

    @cached_property
    def _words(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        homes = {name for path in self.paths for name in _HOME.findall(path)}
        short = {host.partition(".")[0] for host in self.hosts}
        return (
            *_patterns(self.cards, UUID),
            *_patterns(self.hosts | short, HOST),
            *_patterns(self.users | homes, USER),
        )


def _patterns(names: Iterable[str], stands_for: str) -> list[tuple[re.Pattern[str], str]]:
    kept = {n for n in names if len(n) > 1 and n.lower() not in _COMMON and n != stands_for}
    return [
        (re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])"), stands_for)
        for name in sorted(kept, key=lambda name: (-len(name), name))
    ]


def _last(path: str) -> str:
    return re.split(r"[/\\]+", path.rstrip("/\\"))[-1]


def _shortened(found: re.Match[str]) -> str:
    if _SYSTEM.match(found[0]):
        return found[0]
    return f"{PATH}/{found[1]}".rstrip("/") if found[1] else PATH
