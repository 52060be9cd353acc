"""kv_pressure: the KV cache is nearly full."""

from __future__ import annotations

from workers.doctor.finding import Confidence, Finding
from workers.doctor.server.base import Scene, warning
from workers.doctor.server.vocabulary import Reading
from workers.doctor.server.window import NotToldError

_FULL = 0.95


class KvPressure:
    """A full cache ends answers early (llama-server) or throws requests out (vLLM)."""

    name = "kv_pressure"
    catches = "more than 95 % of the KV cache, or of a slot's context, is in use"

    def check(self, scene: Scene) -> Finding | None:
        """By the server's gauge where it has one, else by the fullest slot."""
        if scene.window.tells(Reading.KV_USED):
            peak = scene.window.peak(Reading.KV_USED)
            if peak <= _FULL:
                return None
            mean = scene.window.mean(Reading.KV_USED)
            evidence = f"{peak:.0%} of the KV cache was in use ({mean:.0%} on average)."
            return warning(self, Confidence.HIGH, evidence, _ADVICE)
        slots = [slot for slot in scene.all_slots if slot.ctx]
        if not slots:
            raise NotToldError("neither a gauge nor slots tell how full the KV cache is")
        full = [slot for slot in slots if slot.busy and slot.tokens / slot.ctx > _FULL]
        if not full:
            return None
        fullest = max(full, key=lambda slot: slot.tokens / slot.ctx)
        evidence = f"slot {fullest.id} held {fullest.tokens:,} of {fullest.ctx:,} tokens."
        return warning(self, Confidence.HIGH, evidence, _ADVICE)


_ADVICE = (
    "Answer fewer requests at once, give it a longer context (llama-server divides -c by -np), or "
    "a smaller K/V type; for vLLM more --gpu-memory-utilization."
)
RULE = KvPressure()
