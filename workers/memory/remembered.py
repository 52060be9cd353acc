"""A term of the memory model, computed once for what it reads: plans ask for 100,000 launches."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from workers.contract.model_header import ModelHeader
from workers.memory.placement import Spread
from workers.memory.request import MemoryRequest

_MOST = 100_000  # kept of one term; all are forgotten then, so that a long sweep stays small

Make = Callable[[ModelHeader, MemoryRequest], Spread | None]


class Remembered:
    """`make` with its answers kept by header and by the settings that it `reads` of a request."""

    def __init__(self, make: Make, *reads: str) -> None:
        self._make = make
        self.reads = reads
        self._settings = attrgetter(*reads)
        self._known: dict[tuple[ModelHeader, object], Spread | None] = {}

    def __call__(self, header: ModelHeader, request: MemoryRequest) -> Spread | None:
        """The bytes by place; None where they are not known."""
        key = (header, self._settings(request))
        try:
            return self._known[key]
        except KeyError:
            if len(self._known) >= _MOST:
                self._known.clear()
            found = self._known[key] = self._make(header, request)
            return found
