"""slow_tokens: answers come slower than people read."""

from __future__ import annotations

from workers.doctor.finding import Confidence, Finding
from workers.doctor.server.base import Scene, warning
from workers.doctor.server.vocabulary import Reading

_SLOW_S = 0.2  # 5 tok/s, about as fast as people read
_FEW = 10


class SlowTokens:
    """Catches an answer that its reader has to wait for."""

    name = "slow_tokens"
    catches = "a token takes more than 0.2 s on average, which is slower than people read"

    def check(self, scene: Scene) -> Finding | None:
        """By the server's own time per token; low confidence where few tokens were seen."""
        seconds, tokens = scene.per_token_s()
        if seconds <= _SLOW_S:
            return None
        crowd = ""
        if scene.window.tells(Reading.RUNNING):
            crowd = f", {scene.window.mean(Reading.RUNNING):.1f} requests at once"
        return warning(
            self,
            Confidence.HIGH if tokens >= _FEW else Confidence.LOW,
            f"a token takes {seconds:.2f} s ({1 / seconds:.1f} tok/s for each request{crowd}).",
            "See whether all layers are on the card (-ngl), whether memory spilled into the "
            "host's, and what else runs there: orchestrate doctor.",
        )


RULE = SlowTokens()
