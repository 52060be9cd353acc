"""One completion as a server reports it: raw counts and times, never its own rates.

Builds disagree about predicted_per_second: the first token is sampled at the end of the prompt,
so `predicted_ms` covers predicted_n - 1 tokens, and newer builds divide by that, older ones by
predicted_n. Rates are computed by us from the raw values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Completion:
    """Counts in tokens, times in milliseconds; `cache_n` is None where the build does not say."""

    text: str
    tokens: tuple[int, ...]
    prompt_n: int
    prompt_ms: float
    predicted_n: int
    predicted_ms: float
    draft_n: int
    draft_n_accepted: int
    cache_n: int | None
    wall_ms: float

    @property
    def ttft_ms(self) -> float:
        """Time before generation began, the way to and from the server included."""
        return max(self.wall_ms - self.predicted_ms, self.prompt_ms)

    @classmethod
    def from_json(cls, body: Mapping[str, Any], wall_ms: float) -> Completion:
        """From the body of /completion. Raises ValueError when it has no timings."""
        timings = body.get("timings")
        if not isinstance(timings, Mapping):
            raise ValueError("the answer has no timings")
        cache_n = timings.get("cache_n")
        return cls(
            text=str(body.get("content", "")),
            tokens=tuple(body.get("tokens") or ()),
            prompt_n=int(timings.get("prompt_n") or 0),
            prompt_ms=float(timings.get("prompt_ms") or 0.0),
            predicted_n=int(timings.get("predicted_n") or 0),
            predicted_ms=float(timings.get("predicted_ms") or 0.0),
            draft_n=int(timings.get("draft_n") or 0),
            draft_n_accepted=int(timings.get("draft_n_accepted") or 0),
            cache_n=None if cache_n is None else int(cache_n),
            wall_ms=wall_ms,
        )

    def values(self) -> dict[str, float]:
        """The raw values a sample stores."""
        names = ("prompt_n", "prompt_ms", "predicted_n", "predicted_ms", "draft_n")
        raw = {name: float(getattr(self, name)) for name in names}
        return raw | {
            "draft_n_accepted": float(self.draft_n_accepted),
            "ttft_ms": self.ttft_ms,
            "wall_ms": self.wall_ms,
        }
