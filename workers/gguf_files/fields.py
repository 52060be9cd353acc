"""Typed reading of metadata: a key that should be a number and is not makes a bad file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workers.gguf_files.errors import BadModelFile
from workers.gguf_files.raw import Span, Value

_LARGEST = 2**31  # no layer count, width or window comes near; a corrupt one does


@dataclass(frozen=True, slots=True)
class Fields:
    """The metadata of one model; keys are without the leading architecture name."""

    path: Path
    architecture: str
    metadata: Mapping[str, Value]

    def number(self, key: str, default: int | None = None) -> int:
        """A whole number that is not negative; without `default` the key must be there."""
        value = self.get(key)
        if value is None:
            if default is None:
                raise self._bad(f"lacks the key {self._full(key)!r}")
            return default
        return self._checked(key, value)

    def numbers(self, key: str, count: int, default: int | None = None) -> tuple[int, ...]:
        """One number per layer; a single number in the file stands for all `count` layers."""
        value = self.get(key)
        if not isinstance(value, tuple):
            return (self.number(key, default),) * count
        if len(value) != count:
            raise self._bad(f"has {len(value)} values in {self._full(key)!r} for {count} layers")
        return tuple(self._checked(key, item) for item in value)

    def listed(self, key: str) -> tuple[int, ...] | None:
        """An array of numbers of any length; None where the key is missing or no array."""
        value = self.get(key)
        if not isinstance(value, tuple):
            return None
        return tuple(self._checked(key, item) for item in value)

    def text(self, key: str, default: str = "") -> str:
        """A string, or `default`."""
        value = self.get(key)
        return value if isinstance(value, str) else default

    def get(self, key: str) -> Value | None:
        """The raw value: first under the architecture's name, then as it stands."""
        value = self.metadata.get(f"{self.architecture}.{key}")
        return self.metadata.get(key) if value is None else value

    def _checked(self, key: str, value: Value) -> int:
        if isinstance(value, str | tuple | Span | float) or not 0 <= value < _LARGEST:
            shown = "an array" if isinstance(value, tuple | Span) else repr(value)
            raise self._bad(f"has {shown} where {self._full(key)!r} should be a number")
        return int(value)

    def _full(self, key: str) -> str:
        return key if "tokenizer" in key or "general" in key else f"{self.architecture}.{key}"

    def _bad(self, fault: str) -> BadModelFile:
        return BadModelFile(
            self.path, fault, "Convert the model again, or take it from another source."
        )
