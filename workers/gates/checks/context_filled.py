"""context_filled: a deep request was really read, token by token."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, passed


class ContextFilled:
    """Catches a depth that was never there.

    A server may cut a long prompt, shift its context, or take most of it from a cache: each
    makes a full context look as fast as an empty one. What it says it has read must be exactly
    what it was sent, in its own tokens, with none of it from a cache.
    """

    name = "context_filled"
    when = "deep"
    fatal = True
    kind = FailureKind.GATE
    advice = "Turn off the prompt cache and context shifting; use a build that reports prompt_n."

    def check(self, scene: Scene) -> Finding | None:
        """None where no deep request was made."""
        if not scene.deep:
            return None
        for asked, done in scene.deep:
            if done.cache_n:
                return failed(self, f"{done.cache_n} of {asked} tokens came from a cache")
            if done.prompt_n != asked:
                return failed(self, f"{done.prompt_n} tokens were read of {asked}")
        deepest = max(asked for asked, _ in scene.deep)
        return passed(self, f"{len(scene.deep)} requests, up to {deepest} tokens of prompt")


GATE = ContextFilled()
