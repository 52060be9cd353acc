"""speculation_engaged: a server that was asked to speculate drafts."""

from __future__ import annotations

import re

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, flagged, passed
from workers.gates.log_sections import line_of
from workers.gates.spec_kinds import has_draft_model

_GAVE_UP = re.compile(
    r"speculative decoding (?:is )?not supported by this context"
    r"|failed to initialize speculative decoding context"
    r"|no implementations specified for speculative decoding",
    re.IGNORECASE,
)
_COUNTER = "spec_decode_num_draft_tokens_total"


class SpeculationEngaged:
    """Catches a drafter that is loaded and never used.

    `-md` alone has not turned drafting on since June 2026, and a server whose speculative
    context fails says so in one line and goes on without it: the "speculative" tok/s are then
    the plain ones, and memory is paid for nothing. So /slots must say that it speculates, and
    both canaries, a text that repeats itself, must have been drafted on.
    """

    name = "speculation_engaged"
    when = "launch"
    fatal = True
    kind = FailureKind.SPEC_NOT_ENGAGED
    advice = (
        "The server runs without drafting: check that the drafter fits this model and this build."
    )

    def check(self, scene: Scene) -> Finding | None:
        """None without speculation; who may hold back drafts is flagged, not failed."""
        if not scene.candidate.drafts:
            return None
        if gave_up := _GAVE_UP.search(scene.log):
            return failed(self, line_of(scene.log, gave_up))
        told = scene.slots[0].get("speculative") if scene.slots else None
        if told is False:
            return failed(self, "/slots says that the server does not speculate")
        if not scene.canaries:
            return flagged(self, "no canary was made, so nothing shows whether drafts are made")
        drafted = [canary.draft_n for canary in scene.canaries]
        said = f"drafted on the canaries: {', '.join(map(str, drafted))} tokens"
        if all(n > 0 for n in drafted):
            return passed(self, said)
        if not any(drafted) and (counted := self._counted(scene)):
            return flagged(self, f"only /metrics counts drafts ({counted:.0f}): no acceptance")
        if told is True and self._may_hold_back(scene):
            return passed(self, said) if any(drafted) else flagged(self, said)
        return failed(self, said)

    def _may_hold_back(self, scene: Scene) -> bool:
        """Where not drafting is the asked-for behaviour, not a fault."""
        asked = scene.candidate
        adaptive = asked.controller not in (None, "off")
        return bool(asked.p_min) or adaptive or not has_draft_model(asked.spec)

    def _counted(self, scene: Scene) -> float:
        after = scene.metrics_after.get(_COUNTER, 0.0)
        return after - scene.metrics_before.get(_COUNTER, 0.0)


GATE = SpeculationEngaged()
