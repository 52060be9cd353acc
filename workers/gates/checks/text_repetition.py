"""text_repetition: the timed text does not go in circles."""

from __future__ import annotations

from workers.contract.failure import FailureKind
from workers.gates.base import Finding, Scene
from workers.gates.findings import flagged, passed
from workers.gates.repetition import GRAM, repeated_share, units_of

_LOOPS = 0.5  # share of repeated 4-grams from which an answer counts as a loop


class TextRepetition:
    """Catches acceptance that comes from loops.

    Greedy decoding of small models goes in circles, and a circle is what every drafter guesses:
    92 % accepted where prose gives 17 %. The speed is real, but not a user's. The share of
    repeated 4-grams is kept with the numbers, which are flagged when an answer loops.
    """

    name = "text_repetition"
    when = "measured"
    fatal = False
    kind = FailureKind.QUALITY_BROKEN
    advice = "Read acceptance beside the share of repeated text, or use prompts that do not loop."

    def check(self, scene: Scene) -> Finding | None:
        """None where nothing was timed."""
        if not scene.measured:
            return None
        shares = [repeated_share(units_of(done)) for done in scene.measured]
        loops = sum(share > _LOOPS for share in shares)
        mean = sum(shares) / len(shares)
        recorded = {f"repeated_{GRAM}gram_share": mean}
        said = f"{mean:.0%} of {GRAM}-grams repeat; {loops} of {len(shares)} answers loop"
        if loops:
            return flagged(self, said, recorded=recorded)
        return passed(self, said, recorded=recorded)


GATE = TextRepetition()
