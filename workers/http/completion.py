"""One completion as a server reports it: raw counts and times, never its own rates.

Builds disagree about predicted_per_second: the first token is sampled at the end of the prompt,
so `predicted_ms` covers predicted_n - 1 tokens, and newer builds divide by that, older ones by
predicted_n. Rates are computed by us from the raw values.
"""

from __future__ import annotations

import math
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
        """From the body of /completion. Raises ValueError without timings, or with odd ones."""
        timings = body.get("timings") if isinstance(body, Mapping) else None
        if not isinstance(timings, Mapping):
            raise ValueError("the answer has no timings")
        return cls(
            text=str(body.get("content", "")),
            tokens=tuple(body.get("tokens") or ()),
            prompt_n=_count(timings, "prompt_n"),
            prompt_ms=_time(timings, "prompt_ms"),
            predicted_n=_count(timings, "predicted_n"),
            predicted_ms=_time(timings, "predicted_ms"),
            draft_n=_count(timings, "draft_n"),
            draft_n_accepted=_count(timings, "draft_n_accepted"),
            cache_n=None if timings.get("cache_n") is None else _count(timings, "cache_n"),
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


def _count(timings: Mapping[str, Any], name: str) -> int:
    number = _time(timings, name)
    if not math.isfinite(number):
        raise ValueError(f"{name} is {number}")
    return int(number)


def _time(timings: Mapping[str, Any], name: str) -> float:
    """A number, 0 where there is none; NaN is kept, a gate looks for it."""
    value = timings.get(name) or 0
    if not isinstance(value, (int, float)):
        raise ValueError(f"{name} is {value!r}")
    return float(value)
