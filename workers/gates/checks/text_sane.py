"""text_sane: the engine produces text at all."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import failed, passed
from workers.gates.repetition import units_of
from workers.http.completion import Completion


class TextSane:
    """Catches a broken kernel or KV type that runs at full speed.

    Nothing is as fast as nonsense: a cache type with a faulty kernel answers with nothing, or
    with one token for ever ("GGGG", "!!!!"), and drafts of that token are always accepted.
    """

    name = "text_sane"
    when = "always"
    fatal = True
    kind = FailureKind.QUALITY_BROKEN
    advice = "This build breaks the model with these settings: use another KV type or build."

    def check(self, scene: Scene) -> Finding | None:
        """Fails when every answer is broken; a small model may well break on one prompt."""
        answers = scene.measured or scene.canaries
        if not answers:
            return None
        empty = sum(not _says_something(done) for done in answers)
        if empty == len(answers):
            return failed(self, f"all {empty} answers are empty")
        stuck = sum(_one_unit(done) for done in answers)
        if stuck + empty == len(answers):
            return failed(self, f"all {stuck + empty} answers are one token repeated, or empty")
        return passed(self, f"{len(answers)} answers, {empty} empty, {stuck} of one token")


def _says_something(done: Completion) -> bool:
    return bool(done.text.strip()) and done.predicted_n > 0


def _one_unit(done: Completion) -> bool:
    """True for an answer of one token, or one character, many times over."""
    units = units_of(done)
    return _says_something(done) and (
        (len(units) > 4 and len(set(units)) == 1)
        or (len(done.text) > 8 and len(set(done.text.strip())) == 1)
    )


GATE = TextSane()
