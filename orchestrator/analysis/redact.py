"""Takes out of texts what says whose machine it was: folders, users, hosts, addresses, UUIDs.

The name of a file stays, the folders above it go: `/srv/llm/m.gguf` -> `/removed/m.gguf`.
"""

from __future__ import annotations

import getpass
import platform
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from search_spaces.candidate import CANDIDATE_FIELDS
from search_spaces.metrics import METRICS, Facet

GONE = "removed"

# A user or host of such a name is nobody's secret, and the word means something of ours.
_OURS = frozenset(
    {*CANDIDATE_FIELDS, *METRICS, *Facet, GONE, "localhost", "root", "user", "admin", "server"}
    | {"logits", "llama", "embedded", "cpu", "cuda", "gpu", "none", "auto", "true", "false"}
    | {"draft", "dflash", "baseline", "search", "measure", "linux", "windows", "python", "test"}
)
_UUID = re.compile(
    r"\b(?:GPU-|MIG-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.I
)
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_IPV4 = re.compile(rf"(?<![\w.])(?!127\.|0\.0\.0\.0){_OCTET}(?:\.{_OCTET}){{3}}(?![\w.])")
_END = r"\s\"'`:;,<>|()\[\]{}="  # a path that is not known beforehand ends here
_HOME = re.compile(rf"/(?:home|Users)/[^/{_END}]+(?![^{_END}])")  # nothing below it is named
_POSIX = re.compile(
    rf"(?:(?<![\w/~])|(?<=file://))(?:~|\.{{1,2}})?/"
    rf"(?!(?:usr|lib|lib64|bin|sbin|dev|proc|sys|etc|{GONE})/)(?:[^/{_END}]+/)+"
)
_SECRET = re.compile(r"(--api-key[ =]+)\S+|\bhf_[A-Za-z0-9]{16,}")
_WINDOWS = re.compile(rf"\b[A-Za-z]:\\(?!{GONE}\\)(?:[^\\/{_END}]+\\)+")


@dataclass(frozen=True, slots=True)
class Redactor:
    """`words` and `paths` pair each private text with what stands for it."""

    words: tuple[tuple[str, str], ...] = ()
    paths: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls,
        hosts: Iterable[str],
        paths: Iterable[str] = (),
        instead: Mapping[str, str] | None = None,
    ) -> Redactor:
        """For what was measured on these hosts (they become host-1, host-2, ...) by this user.

        `paths` are those that are known: they may hold spaces, and two files of one name stay
        two. Other paths are found in the text, each up to its first space. `instead` says what
        is to stand for some of them, and for any other text.
        """
        places = dict(instead or {})
        paths = [*paths, *places]
        known = [path for path in dict.fromkeys(paths) if len(_parts(path)) > 1]
        names = dict.fromkeys([*hosts, platform.node()])
        words = {name: f"host-{i}" for i, name in enumerate(names, 1)}
        words |= dict.fromkeys({*_me(), *(user for path in known for user in _owner(path))}, "user")
        private = {w: new for w, new in words.items() if len(w) > 1 and w.lower() not in _OURS}
        folders = dict.fromkeys(_spaced(known), f"/{GONE}")
        return cls(_longest_first(private), _longest_first(folders | _numbered(known) | places))

    def text(self, text: str) -> str:
        """The text without them; what has been redacted once stays as it is."""
        if self.paths:  # in one pass, so that what has come in is not replaced again
            known = dict(self.paths)
            text = _any_of(tuple(known)).sub(lambda found: known[found[0]], text)
        text = _POSIX.sub(f"/{GONE}/", _HOME.sub(f"/{GONE}", text))
        text = _WINDOWS.sub(rf"C:\\{GONE}\\", text)
        for word, new in self.words:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", new, text, flags=re.IGNORECASE)
        text = _IPV4.sub(GONE, _UUID.sub(GONE, text))
        return _SECRET.sub(lambda found: (found[1] or "") + GONE, text)

    def data(self, value: Any) -> Any:
        """The same for all texts in what JSON can hold, and for keys that are no identifiers."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {k if k.isidentifier() else self.text(k): self.data(v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self.data(item) for item in value]
        return value


@cache
def _any_of(texts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, texts)))


def _parts(path: str) -> tuple[str, ...]:
    return (PureWindowsPath if "\\" in path else PurePosixPath)(path).parts


def _numbered(paths: Iterable[str]) -> dict[str, str]:
    """A place for each path; the second of two files of one name gets a folder of its own."""
    seen: dict[str, int] = defaultdict(int)
    placed = {}
    for path in paths:
        name = _parts(path)[-1]
        seen[name] += 1
        number = f"{seen[name]}/" if seen[name] > 1 else ""
        placed[path] = f"/{GONE}/{number}{name}"
    return placed


def _spaced(paths: Iterable[str]) -> Iterator[str]:
    """The folders of known files that would not be found in a text as a whole."""
    for path in paths:
        folders = (PureWindowsPath if "\\" in path else PurePosixPath)(path).parents
        yield from (str(folder) for folder in folders if re.search(r"\s", folder.name))


def _longest_first(pairs: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """So that no text is cut in two by a shorter one that it contains."""
    return tuple(sorted(pairs.items(), key=lambda pair: (-len(pair[0]), pair[0])))


def _owner(path: str) -> Iterator[str]:
    """Whose folder a path is in."""
    parts = _parts(path)
    for parent, child in pairwise(parts):
        if parent.lower() in ("home", "users"):
            yield child


def _me() -> Iterator[str]:
    """Who runs this; a container may not know."""
    try:
        yield getpass.getuser()
    except (OSError, KeyError):
        return
