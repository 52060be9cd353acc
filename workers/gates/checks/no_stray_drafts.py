"""no_stray_drafts: a server that was asked not to speculate does not."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, passed


class NoStrayDrafts:
    """Catches a baseline that speculates.

    Newer builds turn drafting on by themselves when the model file carries a drafter (MTP heads)
    or when a configuration file says so. Every speed-up is then measured against the wrong thing.
    """

    name = "no_stray_drafts"
    when = "launch"
    fatal = True
    kind = FailureKind.GATE
    advice = "Pass --spec-type none explicitly, and look for a config file that sets it otherwise."

    def check(self, scene: Scene) -> Finding | None:
        """None for candidates that speculate."""
        if scene.candidate.drafts:
            return None
        drafted = sum(canary.draft_n for canary in (*scene.canaries, *scene.measured))
        if drafted:
            return failed(self, f"asked for no speculation, yet {drafted} tokens were drafted")
        if scene.slots and scene.slots[0].get("speculative") is True:
            return failed(self, "asked for no speculation, yet /slots says that it speculates")
        return passed(self)


GATE = NoStrayDrafts()
