"""engine_on_its_cards: the engine computes on the rig's cards, on all of them and on no other."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, passed


class EngineOnItsCards:
    """Catches an engine that runs somewhere else than where its numbers are filed.

    CUDA_VISIBLE_DEVICES counts in another order than nvidia-smi unless it is told not to, some
    launchers overwrite it, and a UUID that CUDA does not know hides every card after it. The
    numbers would be another card's, and two engines would meet on one.
    """

    name = "engine_on_its_cards"
    when = "launch"
    fatal = True
    kind = FailureKind.GATE
    advice = "Look at CUDA_VISIBLE_DEVICES in wrappers of this engine, and at nvidia-smi."

    def check(self, scene: Scene) -> Finding | None:
        """None on a CPU rig, and where the driver does not name the engine's processes at all."""
        seen = {card for card, pids in scene.card_pids.items() if pids & scene.engine_pids}
        if not scene.rig.cards or not seen:
            return None
        wanted = {card.uuid for card in scene.rig.cards}
        strange, missing = sorted(seen - wanted), sorted(wanted - seen)
        if strange:
            return failed(self, f"the engine also computes on {', '.join(strange)}")
        if missing:
            return failed(self, f"the engine does not compute on {', '.join(missing)}")
        return passed(self)


GATE = EngineOnItsCards()
