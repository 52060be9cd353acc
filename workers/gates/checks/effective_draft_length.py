"""effective_draft_length: how long the drafts of this launch may really be."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.draft_lines import draft_length
from workers.gates.findings import flagged, passed
from workers.gates.spec_kinds import has_draft_model, kinds_of


class EffectiveDraftLength:
    """Catches a draft length that was quietly cut down.

    A block drafter cannot draft more than its block, and the server clamps n_max with a warning
    that nobody reads. A sweep over n_max 4..16 would then measure the same launch nine times and
    show nine different numbers. No failure: the launch is what it is, under its true name.
    """

    name = "effective_draft_length"
    when = "launch"
    fatal = False
    kind = FailureKind.GATE
    advice = "Leave draft lengths above the drafter's block out of the space."

    def check(self, scene: Scene) -> Finding | None:
        """None where no model drafts: n-gram drafters have lengths of their own."""
        asked = scene.candidate
        if not has_draft_model(asked.spec):
            return None
        found = draft_length(
            scene.log, asked.n_max, anchor_first=any("dspark" in k for k in kinds_of(asked.spec))
        )
        if found is None:
            return flagged(self, "the log does not say how long drafts may be")
        if found.n_max == asked.n_max:
            return passed(self, found.said)
        return passed(self, found.said, effective={"n_max": found.n_max})


GATE = EffectiveDraftLength()
