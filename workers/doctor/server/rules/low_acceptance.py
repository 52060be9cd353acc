"""low_acceptance: drafts are mostly thrown away."""

from __future__ import annotations

from workers.doctor.finding import Confidence, Finding
from workers.doctor.server.base import Scene, warning
from workers.doctor.server.vocabulary import Reading

_LOW = 0.3
_FEW = 30  # drafted tokens below which a share says nothing


class LowAcceptance:
    """Each rejected token was drafted and verified for nothing.

    How many must be accepted to gain depends on rig and pair: only a measurement without a
    draft tells. So the confidence is medium.
    """

    name = "low_acceptance"
    catches = "fewer than 30 % of the drafted tokens are accepted, so speculation probably loses"

    def check(self, scene: Scene) -> Finding | None:
        """None where too little was drafted to say."""
        drafted = scene.window.delta(Reading.DRAFTED)
        if drafted < _FEW:
            return None
        share = scene.window.delta(Reading.ACCEPTED) / drafted
        if share >= _LOW:
            return None
        drafts = scene.window.delta(Reading.DRAFTS)
        steps = f", {drafted / drafts:.1f} in each draft" if drafts else ""
        return warning(
            self,
            Confidence.MEDIUM,
            f"{share:.0%} of {drafted:,.0f} drafted tokens were accepted{steps}.",
            "Draft fewer tokens (--spec-draft-n-max), take a drafter trained for this model, or "
            "serve without one. Which is fastest: orchestrate sweep.",
        )


RULE = LowAcceptance()
