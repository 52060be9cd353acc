"""draft_not_engaged: a drafter is there, and nothing is drafted."""

from __future__ import annotations

from workers.doctor.finding import Confidence, Finding
from workers.doctor.server.base import Scene, warning
from workers.doctor.server.vocabulary import Reading
from workers.doctor.server.window import NotToldError

_FEW = 20  # generated tokens below which a drafter may not have had its turn


class DraftNotEngaged:
    """Catches a server that went on without speculation: it only says so in its log."""

    name = "draft_not_engaged"
    catches = "speculation was asked for and nothing is drafted"

    def check(self, scene: Scene) -> Finding | None:
        """Asked for by the command line (a drafter included), or by slots that say so."""
        slots = [slot.speculative for slot in scene.all_slots if slot.speculative is not None]
        settings = scene.command.settings if scene.command is not None else {}
        asked = _speculates(settings.get("spec", ""))
        if slots and not any(slots):
            if asked:
                evidence = "the command line asks for speculation, and no slot speculates."
                return warning(self, Confidence.HIGH, evidence, _ADVICE)
            if "drafter" in settings:
                evidence = "a drafter is loaded without --spec-type, and no slot speculates."
                return warning(self, Confidence.HIGH, evidence, _NAME_THE_KIND)
        asked = asked or "drafter" in settings
        if not asked and not any(slots):
            if slots or scene.command is not None:
                return None
            raise NotToldError("nothing tells whether speculation was asked for")
        generated = scene.window.delta(Reading.GENERATED)
        if generated < _FEW or scene.window.delta(Reading.DRAFTED) > 0:
            return None
        evidence = f"{generated:.0f} tokens were generated, and none was drafted."
        return warning(self, Confidence.HIGH, evidence, _ADVICE)


def _speculates(spec: str) -> bool:
    return bool(set(filter(None, spec.split(","))) - {"none"})


_ADVICE = (
    "Look in its log for 'speculative decoding not supported' or 'failed to initialize "
    "speculative decoding', and whether --spec-type names the kind that the drafter is."
)
_NAME_THE_KIND = (
    "In many builds since June 2026 a drafter alone turns nothing on: add --spec-type "
    "(draft-dflash for a DFlash or DFlash2 drafter), or leave the drafter away and have its "
    "memory back."
)
RULE = DraftNotEngaged()
