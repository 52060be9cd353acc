"""preemption: requests are thrown out of the KV cache and computed again."""

from __future__ import annotations

from workers.doctor.finding import Confidence, Finding
from workers.doctor.server.base import Scene, warning
from workers.doctor.server.vocabulary import Reading


class Preemption:
    """Catches work that vLLM does twice. llama-server has nothing like it."""

    name = "preemption"
    catches = "the server preempted a request while it was watched"

    def check(self, scene: Scene) -> Finding | None:
        """High confidence: the server counts them."""
        count = scene.window.delta(Reading.PREEMPTED)
        if count <= 0:
            return None
        return warning(
            self,
            Confidence.HIGH,
            f"{count:.0f} requests were preempted within {scene.window.seconds:.0f} s.",
            "Lower --max-num-seqs or --max-model-len, or raise --gpu-memory-utilization.",
        )


RULE = Preemption()
