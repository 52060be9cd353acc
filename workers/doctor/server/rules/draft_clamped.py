"""draft_clamped: drafts are shorter than asked for."""

from __future__ import annotations

from workers.doctor.finding import Confidence, Finding
from workers.doctor.server.base import Scene, warning
from workers.doctor.server.vocabulary import Reading
from workers.doctor.server.window import NotToldError

_FEW = 10  # drafts


class DraftClamped:
    """A drafter that was trained for blocks of 8 drafts 7, whatever the command line says.

    The draft at the end of an answer is short, too; so is one that p_min ends.
    """

    name = "draft_clamped"
    catches = "drafts are at least one token shorter on average than the command line asks for"

    def check(self, scene: Scene) -> Finding | None:
        """Only where the server's command line can be read: metrics do not tell n_max."""
        if scene.window.total(Reading.DRAFTED) <= 0:
            return None
        asked = scene.command.number("n_max") if scene.command is not None else None
        if scene.command is None or asked is None:
            raise NotToldError("the draft length that was asked for is not known")
        drafts = scene.window.delta(Reading.DRAFTS)
        if drafts < _FEW:
            return None
        mean = scene.window.delta(Reading.DRAFTED) / drafts
        reached = scene.window.positions() if scene.window.tells(Reading.ACCEPTED_AT) else None
        if mean > asked - 1 or (reached is not None and reached >= asked):
            return None
        stops_early = (scene.command.number("p_min") or 0.0) > 0
        beyond = f"; none was ever accepted beyond position {reached}" if reached else ""
        return warning(
            self,
            Confidence.LOW if stops_early else Confidence.MEDIUM,
            f"n_max {asked:.0f} was asked for, and drafts have {mean:.1f} tokens{beyond}.",
            "Look in its log for 'clamping'; a length that the drafter was trained for measures "
            "the same and says what it is."
            + (" p_min ends drafts early, too." if stops_early else ""),
        )


RULE = DraftClamped()
