"""Prompt suites: JSON lines, one prompt each, behind an optional header line.

    {"suite": "mine", "licence": "Apache-2.0", "description": "what it is for"}
    {"id": "first", "group": "python", "text": "sent to the model as it stands"}

`group` may be left out. `lead` puts so many characters of running notes before the text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from search_spaces.candidate import digest
from search_spaces.names import did_you_mean
from workers.suites import speed_bench
from workers.suites.errors import SuiteError
from workers.suites.notes import notes_of

_DATA = Path(__file__).with_name("data")
BUILTIN_SUITES = tuple(sorted(path.stem for path in _DATA.glob("*.jsonl")))
LEAST_PROMPTS = 2  # one prompt says nothing about how much prompts differ
_HEADER = frozenset({"suite", "licence", "license", "description"})
_KEYS = ("id", "group", "text", "lead")
_LONGEST_LEAD = 4_000_000


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request: `text` goes to the completion endpoint as it stands."""

    id: str
    group: str
    text: str


@dataclass(frozen=True, slots=True)
class Suite:
    """Prompts in a fixed order; `hash` is of what they are, not of how the file is written."""

    name: str
    hash: str
    prompts: tuple[Prompt, ...]
    licence: str = ""
    description: str = ""

    def first(self, count: int | None) -> tuple[Prompt, ...]:
        """The first `count` prompts (None: all). Raises SuiteError when there are fewer."""
        if count is not None and count > len(self.prompts):
            raise SuiteError(
                f"The suite {self.name} has {len(self.prompts)} prompts, not {count}.",
                "Lower the recipe's prompts, or leave it out to use all of them.",
            )
        return self.prompts[:count]


def load_suite(reference: str) -> Suite:
    """A builtin suite by its name, one of your own by its path, or `speed-bench:PATH`.

    Raises SuiteError.
    """
    if reference.startswith(speed_bench.PREFIX):
        return _speed_bench(Path(reference.removeprefix(speed_bench.PREFIX)).expanduser())
    path = _path_of(reference)
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise SuiteError(
            f"The suite {path} cannot be read: {error.strerror}.", "Check the path."
        ) from None
    except UnicodeDecodeError:
        raise SuiteError(f"The suite {path} is not UTF-8 text.", _example()) from None
    header: Mapping[str, Any] = {}
    prompts: list[Prompt] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        row = _row(line, place)
        if not prompts and not header and "text" not in row and "suite" in row:
            header = _header(row, place)
        else:
            prompts.append(_prompt(row, place, {prompt.id for prompt in prompts}))
    return _suite(path, prompts, header)


def _suite(path: Path, prompts: Sequence[Prompt], header: Mapping[str, Any]) -> Suite:
    if len(prompts) < LEAST_PROMPTS:
        raise SuiteError(
            f"The suite {path} has {len(prompts)} prompts; {LEAST_PROMPTS} are the least.",
            _example(),
        )
    return Suite(
        name=str(header.get("suite") or path.stem),
        hash=digest([[p.id, p.group, p.text] for p in prompts], length=64),
        prompts=tuple(prompts),
        licence=str(header.get("licence") or header.get("license") or ""),
        description=str(header.get("description") or ""),
    )


def _speed_bench(path: Path) -> Suite:
    prompts = [Prompt(*question) for question in speed_bench.read_speed_bench(path)]
    header = {"suite": "speed-bench", "licence": speed_bench.LICENCE}
    return _suite(path, prompts, header)


def _path_of(reference: str) -> Path:
    name = reference.removeprefix("builtin:")
    if name in BUILTIN_SUITES:
        return _DATA / f"{name}.jsonl"
    path = Path(reference).expanduser()
    if path.is_file():
        return path
    raise SuiteError(
        f"There is no prompt suite {reference!r}.",
        f"{did_you_mean(name, BUILTIN_SUITES)} Or name a .jsonl file of your own.",
    )


def _row(line: str, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise SuiteError(f"{place} is not JSON: {error}.", _example()) from None
    if not isinstance(row, dict):
        raise SuiteError(f"{place} is no JSON object.", _example())
    return row


def _header(row: Mapping[str, Any], place: str) -> Mapping[str, Any]:
    for key in row:
        if key not in _HEADER:
            raise SuiteError(
                f"{place}: a header has no key {key!r}.", did_you_mean(key, sorted(_HEADER))
            )
    return row


def _prompt(row: Mapping[str, Any], place: str, taken: set[str]) -> Prompt:
    for key in row:
        if key not in _KEYS:
            raise SuiteError(f"{place}: a prompt has no key {key!r}.", did_you_mean(key, _KEYS))
    name, group, text = row.get("id"), row.get("group", ""), row.get("text")
    if not isinstance(name, str) or not name.strip():
        raise SuiteError(f"{place}: the prompt has no id.", _example())
    if name in taken:
        raise SuiteError(
            f"{place}: the id {name!r} is taken.", "Ids pair measurements: make each unique."
        )
    if not isinstance(group, str):
        raise SuiteError(f"{place}: the group of {name!r} is no text.", _example())
    if not isinstance(text, str) or not text:
        raise SuiteError(f"{place}: the text of {name!r} is empty or missing.", _example())
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise SuiteError(f"{place}: the text of {name!r} holds half a character.", _example())
    return Prompt(name, group, _lead(row, place, seed=len(taken)) + text)


def _lead(row: Mapping[str, Any], place: str, seed: int) -> str:
    lead = row.get("lead", 0)
    if not isinstance(lead, int) or isinstance(lead, bool) or not 0 <= lead <= _LONGEST_LEAD:
        raise SuiteError(
            f"{place}: lead must be a number of characters from 0 to {_LONGEST_LEAD:,}.",
            "Leave it out for none.",
        )
    return notes_of(lead, seed) if lead else ""


def _example() -> str:
    return 'Write one object a line, like {"id": "first", "text": "Write a haiku about rain."}'
