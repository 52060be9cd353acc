"""restarted: a counter went back."""

from __future__ import annotations

from workers.doctor.finding import Confidence, Finding
from workers.doctor.server.base import Scene, warning


class Restarted:
    """Catches a server that crashed and came back while it was watched."""

    name = "restarted"
    catches = "a counter went back: the server was started again while it was watched"

    def check(self, scene: Scene) -> Finding | None:
        """Other rules judge what came after."""
        if not scene.restarted:
            return None
        return warning(
            self,
            Confidence.HIGH,
            f"counters went back; {scene.window.seconds:.0f} s after it were judged.",
            "See its log for why it ended, and watch it again.",
        )


RULE = Restarted()
