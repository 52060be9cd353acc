"""What a build's --help says, as data: which flags it knows and which values they take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# An option starts near the left edge; its description, and lists in it, stand further right.
_START = re.compile(r"^ {0,9}(?=--?[A-Za-z])")
# `-c,    --ctx-size N   text` (llama.cpp), `-ctx-ckpt N, --ctx-checkpoints N` (ik_llama.cpp)
_NAME = re.compile(r"(--?[A-Za-z][\w.-]*)(?: ([^-,\s][^,\s]*)(?=, ))?(,\s*)?")
_ALLOWED = re.compile(r"allowed values: (.+?)(?: \(|$)")
_REMOVED = "argument has been removed"


@dataclass(frozen=True, slots=True)
class Option:
    """One entry: all its names, the placeholder of its value ("" for a switch), its text."""

    names: tuple[str, ...]
    value: str
    text: str

    @property
    def choices(self) -> tuple[str, ...]:
        """The values that the entry lists, from its placeholder or from "allowed values:"."""
        allowed = _ALLOWED.search(self.text)
        if allowed:
            return tuple(part.strip() for part in allowed[1].split(",") if part.strip())
        if self.value.startswith("<") or self.value.endswith("..."):
            return ()  # a placeholder of several parts: <dev1,dev2,..>, N0,N1,N2,...
        parts = re.split(r"[|,]", self.value.strip("[](){}"))
        return tuple(parts) if len(parts) > 1 and all(parts) else ()

    def takes(self, value: str) -> bool:
        """Whether this value is, as far as the text tells, one it accepts."""
        if not self.value:
            return False
        if self.choices:
            return value in self.choices
        return value.isdigit() or re.search(rf"\b{re.escape(value)}\b", self.text) is not None


@dataclass(frozen=True)
class Help:
    """All options by each of their names; those announced as removed are left out."""

    options: dict[str, Option] = field(default_factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.options

    def option(self, *names: str) -> Option | None:
        """The first of these that the build knows."""
        return next((self.options[name] for name in names if name in self.options), None)

    def supports(self, spelling: str) -> bool:
        """Whether `--flag` is a switch here, or `--flag value` a value it takes."""
        name, _, value = spelling.partition(" ")
        option = self.options.get(name)
        if option is None:
            return False
        return option.takes(value) if value else not option.value


def parse_help(text: str) -> Help:
    """Reads any help text; what is not an option is skipped, so garbage gives no options."""
    found: dict[str, Option] = {}
    for entry in _entries(text):
        option = _option(entry)
        if _REMOVED not in option.text:
            found.update((name, option) for name in option.names if name not in found)
    return Help(found)


def _entries(text: str) -> Iterator[list[str]]:
    entry: list[str] = []
    for line in text.splitlines():
        if _START.match(line):
            if entry:
                yield entry
            entry = [line.strip()]
        elif entry and line[:1].isspace():
            entry.append(line.strip())
        elif entry:
            yield entry
            entry = []
    if entry:
        yield entry


def _option(entry: list[str]) -> Option:
    head, names, value = entry[0], [], ""
    place = 0
    while match := _NAME.match(head, place):
        names.append(match[1])
        value = match[2] or value
        place = match.end()
        if not match[3]:
            break
    rest = head[place:]
    # The placeholder stands one space after the name; the description two or more after that.
    placeholder, _, text = ("", "", rest) if rest[:2].isspace() else rest.partition("  ")
    return Option(
        names=tuple(names),
        value=placeholder.strip() or value,
        text=" ".join(part for part in [text.strip(), *entry[1:]] if part),
    )
