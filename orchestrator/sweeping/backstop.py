"""What ran out of memory at one context is not tried at a longer one, nor above its ceiling.

The memory model knows weights and caches, not every buffer of every build; a failure does.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from search_spaces.candidate import Candidate
from workers.contract.failure import Diagnosis, FailureKind
from workers.contract.outcome import Estimate


@dataclass
class Backstop:
    """One rig's memory of what did not fit."""

    _failed_at: dict[Candidate, int] = field(default_factory=dict)
    _ceilings: dict[Candidate, int] = field(default_factory=dict)

    def learn(self, candidate: Candidate, diagnosis: Diagnosis) -> None:
        """Takes in a failure; only one for memory says anything about longer contexts."""
        if diagnosis.kind is FailureKind.OUT_OF_MEMORY and diagnosis.deterministic:
            key = _without_ctx(candidate)
            self._failed_at[key] = min(candidate.ctx, self._failed_at.get(key, candidate.ctx))

    def bound(self, candidate: Candidate, ctx_max: Estimate | None) -> None:
        """Takes in a measured context ceiling, if there is one."""
        if ctx_max is not None:
            self._ceilings[_without_ctx(candidate)] = int(ctx_max.value)

    def why_not(self, candidate: Candidate) -> str | None:
        """The sentence that excludes a candidate, None when nothing speaks against it."""
        key = _without_ctx(candidate)
        ceiling = self._ceilings.get(key)
        if ceiling is not None and candidate.ctx > ceiling:
            return f"its context ceiling is {ceiling}, so ctx {candidate.ctx} is not tried"
        failed = self._failed_at.get(key)
        if failed is None or candidate.ctx <= failed:
            return None
        return f"it ran out of memory at ctx {failed}, so ctx {candidate.ctx} is not tried"


def _without_ctx(candidate: Candidate) -> Candidate:
    return replace(candidate.canonical(), ctx=0)
