"""timings_sane: the raw counts and times can be true."""

from __future__ import annotations

import math

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, passed
from workers.http.completion import Completion

_SLACK_MS = 5.0  # clocks of two processes, rounding of builds


class TimingsSane:
    """Catches numbers that no run can have.

    Builds have reported NaN and zero times, more accepted than drafted tokens, and times from a
    request before. One NaN turns a mean into NaN, and a sampler may take infinity for a result.
    The server's times must also fit into what we waited for its answer.
    """

    name = "timings_sane"
    when = "always"
    fatal = True
    kind = FailureKind.GATE
    advice = "Use another build: this one's timings cannot be trusted."

    def check(self, scene: Scene) -> Finding | None:
        """Canaries are looked at too: what is wrong there is wrong everywhere."""
        done = (*scene.canaries, *scene.measured, *(deep for _, deep in scene.deep))
        if not done:
            return None
        problems = [problem for one in done if (problem := _problem(one))]
        if problems:
            return failed(self, f"{problems[0]} ({len(problems)} of {len(done)} answers)")
        return passed(self, f"{len(done)} answers")


def _problem(one: Completion) -> str | None:
    times = (one.prompt_ms, one.predicted_ms, one.wall_ms)
    if not all(math.isfinite(t) for t in times):
        return "a time is not a number"
    if one.predicted_n > 1 and one.predicted_ms <= 0:
        return f"{one.predicted_n} tokens took {one.predicted_ms:g} ms"
    if min(*times, one.prompt_n, one.predicted_n, one.draft_n, one.draft_n_accepted) < 0:
        return "a count or a time is negative"
    if one.draft_n_accepted > one.draft_n:
        return f"{one.draft_n_accepted} tokens accepted of {one.draft_n} drafted"
    if one.draft_n_accepted > one.predicted_n:
        return f"{one.draft_n_accepted} tokens accepted of {one.predicted_n} generated"
    if one.prompt_ms + one.predicted_ms > one.wall_ms * 1.02 + _SLACK_MS:
        spent = one.prompt_ms + one.predicted_ms
        return f"the server says {spent:.1f} ms, the answer came after {one.wall_ms:.1f} ms"
    return None


GATE = TimingsSane()
