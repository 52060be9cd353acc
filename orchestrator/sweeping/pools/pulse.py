"""Whether busy workers still run. Ray notices one that has died, not one that was stopped.

A process that is stopped, or stuck in the kernel, keeps its socket open: its job would be waited
for without end. Its engine has deadlines, the worker that keeps them has none but this one.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Set
from typing import Any

GROUP = "pulse"  # a thread of the actor's own, since the other one measures
EVERY_S, SILENT_S = 5.0, 60.0  # a host that swaps may well be silent for half a minute


class Pulse:
    """Asks every busy actor to answer, one question to each at a time."""

    def __init__(self) -> None:
        self._asked: dict[str, tuple[Any, Any, float]] = {}  # actor, question, when

    def silent(self, busy: Mapping[str, Any]) -> Set[str]:
        """The rigs whose worker has not answered in time; asks those that are to be asked."""
        now = time.monotonic()
        self._asked = {rig: a for rig, a in self._asked.items() if busy.get(rig) is a[0]}
        for rig, actor in busy.items():
            if rig not in self._asked or self._is_due(rig, now):
                question = actor.pulse.options(concurrency_group=GROUP).remote()
                self._asked[rig] = (actor, question, now)
        return {rig for rig, (*_, asked) in self._asked.items() if now - asked > SILENT_S}

    def _is_due(self, rig: str, now: float) -> bool:
        """Whether the last question was answered, and is old."""
        import ray

        _, question, asked = self._asked[rig]
        answered, _ = ray.wait([question], timeout=0.0)
        return bool(answered) and now - asked > EVERY_S
