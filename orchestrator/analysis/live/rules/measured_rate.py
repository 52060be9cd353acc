"""measured_rate: a server that is slower than the sweep measured it."""

from __future__ import annotations

from orchestrator.analysis.live.match import Sweep
from orchestrator.analysis.words import quantity
from workers.doctor.finding import Confidence, Finding, Severity
from workers.doctor.server.base import Scene
from workers.doctor.server.vocabulary import Reading
from workers.doctor.server.window import NotToldError

_SLOWER = 0.9  # of the measured interval's lower end
_FEW = 50  # tokens below which a moment's neighbour may be all that was seen
_ALONE = 1.2  # requests at once, on average: sweeps measure one at a time


class MeasuredRate:
    """Catches what no metric alone shows: an update, a neighbour, a card that throttles."""

    name = "measured_rate"
    catches = "it serves at least 10 % slower than the sweep measured for its settings"

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep

    def check(self, scene: Scene) -> Finding | None:
        """Where it is as fast, that is said with severity OK. Raises NotToldError."""
        seconds, tokens = scene.per_token_s()
        rate = 1 / seconds if seconds > 0 else 0.0
        fitting = [r for r in self._sweep.same_launch(scene) if "tok_s" in r.estimates]
        if not fitting:
            raise NotToldError("the sweep did not measure tok/s of these settings")
        # Of several that fit, the slowest: it must not be called slow for what it may not be.
        estimate = fitting[-1].estimates["tok_s"]
        low = estimate.value if estimate.low is None else estimate.low
        several = f" (slowest of {len(fitting)} that fit)" if len(fitting) > 1 else ""
        at_once = scene.window.mean(Reading.RUNNING) if scene.window.tells(Reading.RUNNING) else 1.0
        crowd = f", {at_once:.1f} requests at once" if at_once > _ALONE else ""
        evidence = (
            f"you measured {quantity(estimate)}{several}; it now serves {rate:.1f} tok/s to each "
            f"request (from {tokens} tokens{crowd})."
        )
        if rate >= low * _SLOWER:
            return Finding(self.name, Severity.OK, Confidence.MEDIUM, evidence)
        unsure = several or tokens < _FEW
        sure = Confidence.LOW if crowd else Confidence.MEDIUM if unsure else Confidence.HIGH
        return Finding(
            self.name,
            Severity.WARNING,
            sure,
            evidence,
            "Look at this machine (orchestrate doctor), and measure it again: orchestrate measure."
            if not crowd
            else "A sweep measures one request at a time: watch it when only one is served.",
        )


RULE = MeasuredRate
