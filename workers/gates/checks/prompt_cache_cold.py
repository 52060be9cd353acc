"""prompt_cache_cold: no timed prompt was read from a cache."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, flagged, passed


class PromptCacheCold:
    """Catches prompts that were not processed at all.

    Servers keep prompts, on the card and in memory, and a repeated one costs nothing: prompt
    speed and time to first token become fantasy. Builds and forks differ in which switch turns
    it off, so the answers themselves must say that no token came from a cache.
    """

    name = "prompt_cache_cold"
    when = "measured"
    fatal = True
    kind = FailureKind.GATE
    advice = "Turn the prompt cache off (--cache-ram 0, cache_prompt false, forks: their own flag)."

    def check(self, scene: Scene) -> Finding | None:
        """cache_n decides; builds without it give themselves away on the repeated canary."""
        if not scene.measured:
            return None
        told = [done.cache_n for done in scene.measured if done.cache_n is not None]
        warm = [n for n in told if n > 0]
        if warm:
            return failed(
                self,
                f"{len(warm)} of {len(told)} prompts came from a cache, up to {max(warm)} tokens",
            )
        if told:
            return passed(self, f"{len(told)} prompts, none from a cache")
        read = [canary.prompt_n for canary in scene.canaries]
        if len(read) < 2:
            return flagged(self, "this build does not say what came from its prompt cache")
        if min(read[1:]) < read[0]:
            return failed(
                self, f"the same prompt was read as {read[0]}, then {min(read[1:])} tokens"
            )
        return passed(self, f"the same prompt was read whole each time ({read[0]} tokens)")


GATE = PromptCacheCold()
