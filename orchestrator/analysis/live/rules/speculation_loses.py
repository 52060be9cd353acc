"""speculation_loses: the sweep measured the same model faster without a draft."""

from __future__ import annotations

from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.live.match import Sweep
from orchestrator.analysis.truth import fastest
from orchestrator.analysis.words import describe, quantity
from workers.doctor.finding import Confidence, Finding
from workers.doctor.server.base import Scene, warning
from workers.doctor.server.vocabulary import Reading
from workers.statistics.comparison import Verdict


class SpeculationLoses:
    """Catches a draft that costs more than it saves, by measurement and not by acceptance."""

    name = "speculation_loses"
    catches = "it drafts, and the sweep measured the same model faster without"

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep

    def check(self, scene: Scene) -> Finding | None:
        """None where it does not draft, or the sweep shows no loss. Raises NotToldError."""
        speculates = any(slot.speculative for slot in scene.all_slots)
        if not speculates and scene.window.total(Reading.DRAFTED) <= 0:
            return None
        records = self._sweep.same_model(scene)
        drafting = fastest(r for r in records if r.candidate.drafts)
        plain = fastest(r for r in records if not r.candidate.drafts)
        if drafting is None or plain is None or drafting.rig != plain.rig:
            return None
        made = Comparer(records).compare(drafting, plain, "tok_s")
        if made.verdict is not Verdict.WORSE:
            return None
        return warning(
            self,
            Confidence.HIGH,
            f"on {plain.rig} the sweep measured {quantity(plain.estimates['tok_s'])} without a "
            f"draft and at best {quantity(drafting.estimates['tok_s'])} with one "
            f"({made.value:.2f}×).",
            f"Serve it without: {describe(plain.candidate)}.",
        )


RULE = SpeculationLoses
