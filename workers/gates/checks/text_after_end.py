"""text_after_end: the timed text is what a user would read."""

from __future__ import annotations

import re

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import flagged, passed

_EOG = re.compile(r"print_info: EOG token\s*=\s*(\d+) ")
_MUCH = 0.1  # share of the timed tokens


class TextAfterEnd:
    """Catches tok/s of text that nobody would see.

    For a fixed length the end of the answer is ignored (ignore_eos), and what a model says after
    its natural end is filler: easy to draft, or empty talk. The share of timed tokens after the
    natural end is kept, and flagged when it is more than a tenth. It is known where the natural
    lengths were observed, or where an end-of-generation token stands among the tokens (builds
    that ignore only one of a model's several).
    """

    name = "text_after_end"
    when = "measured"
    fatal = False
    kind = FailureKind.QUALITY_BROKEN
    advice = "Ask for fewer tokens (predict), or use prompts with longer answers."

    def check(self, scene: Scene) -> Finding | None:
        """None where neither sign was observed."""
        ends = frozenset(map(int, _EOG.findall(scene.log)))
        after = total = 0
        observed = False
        for index, done in enumerate(scene.measured):
            total += done.predicted_n
            natural = scene.natural_lengths[index : index + 1]
            first_end = next((i for i, t in enumerate(done.tokens) if t in ends), None)
            known = [n for n in (*natural, first_end) if n is not None]
            if known:
                observed = True
                after += max(0, done.predicted_n - min(known))
        if not observed or not total:
            return None
        share = after / total
        said = f"{share:.0%} of the timed tokens come after the answer's natural end"
        recorded = {"after_end_share": share}
        if share > _MUCH:
            return flagged(self, said, recorded=recorded)
        return passed(self, said, recorded=recorded)


GATE = TextAfterEnd()
