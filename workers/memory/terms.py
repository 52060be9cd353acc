"""The terms of a prediction, for one place (a device, or the host)."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

MIB = 2**20

TERMS = (
    "weights",
    "kv",
    "swa",
    "recurrent",
    "draft_weights",
    "draft_kv",
    "compute",
    "context_overhead",
)

_SIZES = attrgetter(*TERMS)
_LABELS = {
    "weights": "weights",
    "kv": "KV cache",
    "swa": "sliding-window KV",
    "recurrent": "recurrent state",
    "draft_weights": "draft weights",
    "draft_kv": "draft KV",
    "compute": "compute buffers",
    "context_overhead": "driver context",
}


@dataclass(frozen=True, slots=True)
class Terms:
    """Bytes by term; None where nothing is known (never zero by guess)."""

    weights: int | None = 0
    kv: int | None = 0
    swa: int | None = 0
    recurrent: int | None = 0
    draft_weights: int | None = 0
    draft_kv: int | None = 0
    compute: int | None = None
    context_overhead: int | None = 0

    def get(self, term: str) -> int | None:
        """The bytes of one term by name."""
        value: int | None = getattr(self, term)
        return value

    def total(self, without: frozenset[str] = frozenset()) -> int:
        """The sum of what is known, in bytes."""
        known: int = sum(filter(None, _SIZES(self)))
        return known - sum(self.get(term) or 0 for term in without) if without else known

    def describe(self, without: frozenset[str] = frozenset()) -> str:
        """The terms by size: "weights 14617 MiB, KV cache 3528 MiB"; "nothing" if all are 0."""
        known = {term: size for term in TERMS if term not in without and (size := self.get(term))}
        largest_first = sorted(known, key=lambda term: -known[term])
        parts = [f"{_LABELS[term]} {known[term] / MIB:.0f} MiB" for term in largest_first]
        return ", ".join(parts) or "nothing"

    def unknown(self) -> tuple[str, ...]:
        """Labels of the terms without a figure."""
        return tuple(_LABELS[term] for term in TERMS if self.get(term) is None)
