"""YAML text to plain data, with the line of every key. YAML 1.2: `off` and `no` stay texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from search_spaces.errors import SpaceError

MAX_BYTES = 1_000_000
MAX_NODES = 200_000  # after aliases are followed: a few lines can otherwise mean billions
Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Source:
    """Plain data and where each part of it stands (line numbers from 1)."""

    file: str
    data: Any
    lines: dict[Place, int]

    def line(self, place: Place) -> int | None:
        """The line of a place, or of the nearest part above it that exists."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place)


def parse(text: str, file: str) -> Source:
    """Raises SpaceError, with the line, for anything that is not plain YAML."""
    if len(text) > MAX_BYTES:
        raise SpaceError(f"the file is larger than {MAX_BYTES:,} characters.", file=file)
    yaml = YAML(typ="safe", pure=True)
    yaml.allow_duplicate_keys = False
    lines: dict[Place, int] = {}
    try:
        root = yaml.compose(text)
        if root is None:
            raise SpaceError(
                "the file is empty.", file=file, hint="Start with name: and objectives:."
            )
        data = _Plain(yaml, file, lines).convert(root, ())
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = (error.problem or error.context or "malformed").strip()
        raise SpaceError(
            f"not valid YAML: {problem}.", file=file, line=mark.line + 1 if mark else None
        ) from None
    except (YAMLError, ValueError, RecursionError, OverflowError, KeyError) as error:
        first = str(error).strip().splitlines()
        raise SpaceError(
            f"not valid YAML: {first[0] if first else type(error).__name__}.", file=file
        ) from None
    return Source(file, data, lines)


class _Plain:
    """Turns nodes into dicts, lists and scalars, noting lines and refusing surprises."""

    def __init__(self, yaml: YAML, file: str, lines: dict[Place, int]) -> None:
        self._constructor = yaml.constructor
        self._file = file
        self._lines = lines
        self._count = 0

    def convert(self, node: Node, place: Place) -> Any:
        self._count += 1
        line = node.start_mark.line + 1
        if self._count > MAX_NODES:
            raise SpaceError(f"the file holds more than {MAX_NODES:,} values.", file=self._file)
        if len(place) > 20:
            raise SpaceError("nested more than 20 levels deep.", file=self._file, line=line)
        self._lines.setdefault(place, line)
        if isinstance(node, ScalarNode):
            return self._scalar(node, line)
        if isinstance(node, SequenceNode):
            return [self.convert(item, (*place, i)) for i, item in enumerate(node.value)]
        if isinstance(node, MappingNode):
            return self._mapping(node, place)
        raise SpaceError(f"unexpected {node.tag}.", file=self._file, line=line)

    def _mapping(self, node: MappingNode, place: Place) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = key_node.value if isinstance(key_node, ScalarNode) else None
            if key is None:
                raise SpaceError("a key must be a plain text.", file=self._file, line=line)
            if key in result:
                raise SpaceError(f"the key {key!r} stands twice.", file=self._file, line=line)
            self._lines[(*place, key)] = line
            result[key] = self.convert(value_node, (*place, key))
        return result

    def _scalar(self, node: ScalarNode, line: int) -> Any:
        value = self._constructor.construct_object(node)
        if value is None or isinstance(value, (str, bool, int, float)):
            return value
        # Dates and binaries are YAML's idea, not ours: keep what was written.
        return str(node.value)
