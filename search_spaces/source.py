"""YAML text to plain data, with the line of every key. YAML 1.2: `off` and `no` stay texts.

Plain data means texts, finite numbers, booleans, null, lists and mappings: tags for other things,
merge keys and numbers that no setting could mean are refused here, once for the whole language.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from search_spaces.errors import SpaceError
from search_spaces.names import shown

MAX_BYTES = 200_000  # a space is written by hand; larger files take seconds to parse
MAX_NODES = 50_000  # after aliases are followed: a few lines can otherwise mean billions
MAX_DEPTH = 20
MAX_NUMBER = 1e15  # exact as a float, and short enough to print
Place = tuple[str | int, ...]

# What ruamel's constructors raise for a text that does not fit its tag (`!!int abc`).
_SCALAR_FAULTS = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError)
_PLAIN_TAGS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


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
        raise SpaceError(f"the file is larger than {MAX_BYTES:,} bytes.", file=file)
    yaml = YAML(typ="safe", pure=True)
    yaml.composer.warn_double_anchors = False
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
            f"not valid YAML: {problem}.",
            file=file,
            line=mark.line + 1 if mark else None,
            hint="Indent with spaces, not tabs." if "\\t" in problem else "",
        ) from None
    except RecursionError:
        raise SpaceError(f"nested more than {MAX_DEPTH} levels deep.", file=file) from None
    except (YAMLError, ValueError) as error:
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
        if len(place) > MAX_DEPTH:
            raise self._error(f"nested more than {MAX_DEPTH} levels deep.", line)
        self._lines.setdefault(place, line)
        if isinstance(node, ScalarNode):
            return self._scalar(node, line)
        if node.tag not in _PLAIN_TAGS:
            raise self._error(f"the tag {node.tag} is not plain data.", line)
        if isinstance(node, SequenceNode):
            return [self.convert(item, (*place, i)) for i, item in enumerate(node.value)]
        if isinstance(node, MappingNode):
            return self._mapping(node, place)
        raise self._error(f"unexpected {node.tag}.", line)

    def _mapping(self, node: MappingNode, place: Place) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                raise self._error("a key must be a plain text.", line)
            key = self._text(key_node.value, line)
            if key == "<<":
                raise self._error("merge keys are not supported.", line, "Write the keys out.")
            if key in result:
                raise self._error(f"the key {shown(key)} stands twice.", line)
            self._lines[(*place, key)] = line
            result[key] = self.convert(value_node, (*place, key))
        return result

    def _scalar(self, node: ScalarNode, line: int) -> Any:
        kind = str(node.tag).rpartition(":")[2]
        if kind == "timestamp":  # dates are YAML's idea, not ours: keep what was written
            return self._text(node.value, line)
        try:
            value = self._constructor.construct_object(node)
        except _SCALAR_FAULTS:
            raise self._error(f"{shown(node.value)} is not a valid {kind}.", line) from None
        if isinstance(value, (int, float)) and not abs(value) < MAX_NUMBER:
            problem = f"{shown(node.value)} is not a finite number below {MAX_NUMBER:g}."
            raise self._error(problem, line)
        if value is None or isinstance(value, (bool, int, float)):
            return value
        if not isinstance(value, str):
            raise self._error(f"the tag {node.tag} is not plain data.", line)
        return self._text(value, line)

    def _text(self, text: str, line: int) -> str:
        r"""The text, with the two halves of a character (JSON's `"\ud83d\ude00"`) made one.

        A half alone could be neither printed nor stored.
        """
        try:
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            raise self._error(f"{shown(text)} is not Unicode text.", line) from None

    def _error(self, message: str, line: int, hint: str = "") -> SpaceError:
        return SpaceError(message, file=self._file, line=line, hint=hint)
