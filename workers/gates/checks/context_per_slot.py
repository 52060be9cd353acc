"""context_per_slot: a request may use the whole context that was asked for."""

from __future__ import annotations

from typing import Any

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, flagged, passed

_PADDING = 256  # builds round a context up to this many tokens


class ContextPerSlot:
    """Catches a context that is smaller, or larger, than the row of the table says.

    A server with four slots gives each a quarter of `-c`; --fit and model limits shorten it;
    `-c 0` silently takes the model's own. Memory and the longest usable prompt would both be
    reported for another context. Rounding up to the next 256 is what builds do.
    """

    name = "context_per_slot"
    when = "launch"
    fatal = True
    kind = FailureKind.GATE
    advice = "Run one slot (-np 1) with an explicit context that the model was trained for."

    def check(self, scene: Scene) -> Finding | None:
        """/slots tells what one request gets; /props is asked where a build has no /slots."""
        asked = scene.candidate.ctx
        given = _slot_context(scene)
        if given is None:
            return flagged(self, "neither /slots nor /props tells the context of a slot")
        said = f"asked for {asked} tokens, a slot has {given}"
        if asked <= given < asked + _PADDING:
            return passed(self, said)
        return failed(self, said)


def _slot_context(scene: Scene) -> int | None:
    settings = scene.props.get("default_generation_settings")
    places: list[Any] = [scene.slots[0].get("n_ctx")] if scene.slots else []
    places.append(settings.get("n_ctx") if isinstance(settings, dict) else None)
    return next((n for n in places if isinstance(n, int) and n > 0), None)


GATE = ContextPerSlot()
