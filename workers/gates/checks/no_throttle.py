"""no_throttle: the card ran at its own speed."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import flagged, passed

_PREFIX = "throttle_"
_SLOWED = ("hw_slowdown", "hw_thermal", "hw_power_brake", "sw_thermal")
_OFTEN = 0.05  # share of the samples; one warm moment is no finding


class NoThrottle:
    """Catches a candidate that was slow because the card was hot.

    The tenth candidate of an evening runs on a warmer card than the first. Slowdowns by heat or
    by the power supply flag the numbers. The power cap does not: it is how a card works at its
    limit, and the limit is part of a rig's identity.
    """

    name = "no_throttle"
    when = "measured"
    fatal = False
    kind = FailureKind.GATE
    advice = "Improve the cooling or lower the power limit, and measure this candidate again."

    def check(self, scene: Scene) -> Finding | None:
        """None where the card does not tell."""
        seen = {
            name.removeprefix(_PREFIX): share
            for name, share in scene.telemetry.items()
            if name.startswith(_PREFIX)
        }
        if not seen:
            return None
        slowed = {name: seen[name] for name in _SLOWED if seen.get(name, 0.0) > _OFTEN}
        if not slowed:
            return passed(self)
        said = ", ".join(f"{name} {share:.0%}" for name, share in slowed.items())
        return flagged(self, f"slowed down: {said} of the samples")


GATE = NoThrottle()
