"""quiet_host: nothing else used the processors while a CPU rig was measured."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import flagged, passed

_MUCH = 0.10  # of all processors; the sampler and the client take one or two per cent


class QuietHost:
    """Catches a candidate that was slow because something else ran.

    ggml's threads wait for one another at every step, so one busy neighbour holds up all of
    them: a second process on two cores took a server from 74 to 2 tok/s. Only a CPU rig's
    telemetry tells this; a card does not mind a busy processor that much.
    """

    name = "quiet_host"
    when = "measured"
    fatal = False
    kind = FailureKind.GATE
    advice = "Stop what else is running and measure this candidate again."

    def check(self, scene: Scene) -> Finding | None:
        """None where the rig does not tell."""
        share = scene.telemetry.get("cpu_others_share")
        if share is None:
            return None
        if share <= _MUCH:
            return passed(self)
        return flagged(self, f"other programs took {share:.0%} of the processors meanwhile")


GATE = QuietHost()
