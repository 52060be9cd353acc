"""answers_not_remembered: a repeated prompt is drafted as if it were new."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import flagged, passed
from workers.gates.spec_kinds import looks_up
from workers.http.completion import Completion

_RISE = 0.1  # of the accepted share, between two identical requests


class AnswersNotRemembered:
    """Catches a drafter that has seen the answer.

    ngram-mod, ngram-map-k and ngram-cache keep a pool over requests: asked the same prompt
    twice, they draft the first answer and are right every time (b11434, ngram-mod: nothing
    drafted on the first request, 53 of 53 accepted on the second). Repetitions within a launch
    then measure memory, not speculation: only the first pass of a launch says what a user gets.
    Such kinds are measured with one pass a launch; this sees the ones that are not known yet.
    """

    name = "answers_not_remembered"
    when = "measured"
    fatal = False
    kind = FailureKind.GATE
    advice = "Take one pass per launch for n-gram drafters, and more launches instead."

    def check(self, scene: Scene) -> Finding | None:
        """Compares the accepted share of the first canary with that of the repeated ones.

        What it sees there matters where measured prompts were repeated as well.
        """
        if not looks_up(scene.candidate.spec) or len(scene.canaries) < 2:
            return None
        first, *again = [_accepted(canary) for canary in scene.canaries]
        said = f"accepted {first:.0%}, then {max(again):.0%} of what was drafted on the same prompt"
        if max(again) <= first + _RISE:
            return passed(self, said)
        if scene.passes == 1:
            return passed(self, f"{said}; each measured prompt was asked once")
        return flagged(self, said)


def _accepted(done: Completion) -> float:
    return done.draft_n_accepted / done.draft_n if done.draft_n else 0.0


GATE = AnswersNotRemembered()
