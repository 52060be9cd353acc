"""cache_thrash: prompts are computed that were in the cache before."""

from __future__ import annotations

from workers.doctor.finding import Confidence, Finding
from workers.doctor.server.base import Scene, warning
from workers.doctor.server.vocabulary import Reading, ServerKind
from workers.doctor.server.window import Window

_MUCH = 2000  # prompt tokens; a few short prompts say nothing
_MISS = 0.2
_LOST = 0.3  # how far the share fell below what it was since the server's start


class CacheThrash:
    """Chats come back with all that was said; a cache that is too small computes it again.

    Whether prompts really begin alike cannot be seen from outside. Where the share was high
    before the window, it can: the cache has served them, and no longer does.
    """

    name = "cache_thrash"
    catches = "long prompts that the prompt cache used to serve, or nearly none is served by it"

    def check(self, scene: Scene) -> Finding | None:
        """Medium confidence where the share fell, low where it is only small."""
        window = scene.window
        hits, asked = window.delta(Reading.CACHED), _asked(window)
        if asked < _MUCH or hits / asked >= _MISS:
            return None
        before_hits = window.total(Reading.CACHED) - hits
        before = _asked_total(window) - asked
        fell = before >= _MUCH and before_hits / before - hits / asked >= _LOST
        crowded = window.tells(Reading.WAITING) and window.peak(Reading.WAITING) > 0
        if not fell and not crowded:
            return None  # prompts that are all different are no fault
        was = f", and {before_hits / before:.0%} before" if fell else "; requests wait"
        return warning(
            self,
            Confidence.MEDIUM if fell else Confidence.LOW,
            f"{hits / asked:.0%} of {asked:,.0f} prompt tokens came from the cache{was}.",
            "If your prompts begin alike: more slots than chats (-np), more --cache-ram, "
            "cache_prompt on; for vLLM --enable-prefix-caching and room in the KV cache.",
        )


def _asked(window: Window) -> float:
    """Prompt tokens that might have come from the cache: llama.cpp counts the others apart."""
    if window.kind is ServerKind.LLAMA_CPP:
        return window.delta(Reading.PROMPT) + window.delta(Reading.CACHED)
    return window.delta(Reading.ASKED)


def _asked_total(window: Window) -> float:
    if window.kind is ServerKind.LLAMA_CPP:
        return window.total(Reading.PROMPT) + window.total(Reading.CACHED)
    return window.total(Reading.ASKED)


RULE = CacheThrash()
