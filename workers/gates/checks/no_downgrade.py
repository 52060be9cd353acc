"""no_downgrade: the engine runs as asked, not in some smaller way it fell back to."""

from __future__ import annotations

import re

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, flagged, passed
from workers.gates.log_sections import line_of

_SMALLER = re.compile(
    r"\bretry(?:ing)? without\b"
    r"|\btrying CPU fallback\b"
    r"|context size reduced from \d+ to \d+"
    r"|reducing (?:the )?(?:context|batch)(?: size)? (?:from|to)\b",
    re.IGNORECASE,
)
_SLOWER = re.compile(
    r"retrying with smaller batch size"
    r"|falling back to (?:CPU|flat|callback|host)\b"
    r"|unavailable; using CPU\b|; using CPU (?:sampler|hidden|recurrent)"
    r"|using (?:eval-)?callback [\w /-]*fallback",
    re.IGNORECASE,
)


class NoDowngrade:
    """Catches an engine that failed once and went on in a smaller way.

    When memory is short llama.cpp retries without pipeline parallelism, --fit shortens the
    context, and forks draft through the CPU: the server answers, with other settings than those
    in the table. A smaller setting fails; a slower path to the same setting is marked.
    """

    name = "no_downgrade"
    when = "always"
    fatal = True
    kind = FailureKind.GATE
    advice = "Ask for less (ctx, ubatch, a smaller drafter), so that the engine need not cut it."

    def check(self, scene: Scene) -> Finding | None:
        """Reads the whole log: some paths are taken at load, some with the first long prompt."""
        if smaller := _SMALLER.search(scene.log):
            return failed(self, line_of(scene.log, smaller))
        if slower := _SLOWER.search(scene.log):
            return flagged(self, line_of(scene.log, slower))
        return passed(self)


GATE = NoDowngrade()
