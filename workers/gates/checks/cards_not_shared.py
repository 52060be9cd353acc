"""cards_not_shared: nobody else computed on the rig's cards when the engine was loaded."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import flagged, passed


class CardsNotShared:
    """Catches a candidate that was slow, or did not fit, because a game or another model ran.

    A claim keeps sweeps apart; it cannot keep others away. A desktop that only draws its
    windows is not counted as computing.
    """

    name = "cards_not_shared"
    when = "launch"
    fatal = False
    kind = FailureKind.GATE
    advice = "End the other program and measure this candidate again."

    def check(self, scene: Scene) -> Finding | None:
        """None where the driver names no process of the engine: then the others are unknown too."""
        on_rig = [scene.card_pids.get(card.uuid, frozenset()) for card in scene.rig.cards]
        everybody = frozenset().union(*on_rig)
        if not everybody & scene.engine_pids:
            return None
        others = sorted(everybody - scene.engine_pids)
        if not others:
            return passed(self)
        return flagged(self, f"process {', '.join(map(str, others))} computed on the same card")


GATE = CardsNotShared()
