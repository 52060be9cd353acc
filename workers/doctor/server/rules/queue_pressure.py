"""queue_pressure: requests wait for a place."""

from __future__ import annotations

from workers.doctor.finding import Confidence, Finding
from workers.doctor.server.base import Scene, warning
from workers.doctor.server.vocabulary import Reading, ServerKind

_OFTEN = 0.5  # of the looks; a request that waits at one look only is a burst
_ADVICE = {
    ServerKind.LLAMA_CPP: "Give it more slots (-np, with -c for all of them), or send it less.",
    ServerKind.VLLM: "Raise --max-num-seqs if the KV cache has room, or send it less.",
}


class QueuePressure:
    """A queue adds its whole length to the time to the first token."""

    name = "queue_pressure"
    catches = "requests wait at half of the looks or more"

    def check(self, scene: Scene) -> Finding | None:
        """High confidence: the server counts them itself."""
        share = scene.window.share(Reading.WAITING, above=0)
        if share < _OFTEN or len(scene.window.scrapes) < 2:
            return None
        mean, peak = scene.window.mean(Reading.WAITING), scene.window.peak(Reading.WAITING)
        running = scene.window.mean(Reading.RUNNING)
        evidence = (
            f"requests waited at {share:.0%} of the looks, {mean:.1f} of them on average "
            f"(at most {peak:.0f}), beside {running:.1f} being answered."
        )
        return warning(self, Confidence.HIGH, evidence, _ADVICE[scene.server.kind])


RULE = QueuePressure()
