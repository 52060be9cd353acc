"""A candidate with content hashes in place of names, and the keys made of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from search_spaces.candidate import Candidate, Value, digest
from search_spaces.variants import flags_of


@dataclass(frozen=True, slots=True)
class ResolvedCandidate:
    """`engine` and `logits` are build hashes (server; perplexity, KLD), the rest file hashes."""

    candidate: Candidate
    engine: str
    logits: str
    model: str
    drafter: str | None = None

    @property
    def key(self) -> str:
        """Two candidates with one key are one launch, whatever they are called."""
        names = self.candidate.canonical().as_dict()
        for name in ("engine", "model", "drafter"):
            names.pop(name, None)
        if flags := flags_of(str(names.pop("flags", ""))):  # whatever the variant is called
            names["flags"] = flags
        return digest([names, self.engine, self.model, self.drafter])

    def with_effective(self, effective: dict[str, Value]) -> ResolvedCandidate:
        """The same with what the engine really did (a clamped n_max, a redirected KV type)."""
        return replace(self, candidate=replace(self.candidate, **effective)) if effective else self  # type: ignore[arg-type]
