"""When a rig is left out: it fails again and again, and no candidate is to blame.

A card that fell off the bus fails every job in seconds; without this, a sweep would spend its
whole budget on it. A rig that is left out gets no more work from this run; its open trials stay
open, and the next run of the same command tries it again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from workers.contract.failure import Diagnosis, FailureKind
from workers.contract.outcome import Failed, Outcome

IN_A_ROW = 3

# Not to be waited for: the next engine would be promised memory that is not there, or a host.
_AT_ONCE = frozenset({FailureKind.RIG_OCCUPIED, FailureKind.HOST_LOST})


@dataclass
class Watch:
    """One rig's failures in a row. `reason` says why the rig is left out, None while it is not.

    `engines` are those that the space names. A driver that broke fails all of them; an engine
    that cannot be started here (`driver_or_install`) fails alone, and is no reason to leave the
    rig out while another engine may still run.
    """

    rig: str
    engines: frozenset[str]
    reason: str | None = None
    _row: list[tuple[str, Diagnosis]] = field(default_factory=list)

    def saw(self, engine: str, outcome: Outcome) -> bool:
        """Counts what a job of that engine came to; True when the rig is left out now."""
        if not isinstance(outcome, Failed) or not _against_rig(outcome.diagnosis):
            self._row.clear()
            return False
        self._row.append((engine, outcome.diagnosis))
        if outcome.diagnosis.kind in _AT_ONCE:
            self.reason = f"Rig {self.rig} is left out: {_sentence(outcome.diagnosis.evidence)}"
        elif len(self._row) >= IN_A_ROW and self._no_engine_is_to_blame():
            self.reason = (
                f"Rig {self.rig} is left out: it failed {len(self._row)} times in a row, last "
                f"because {_sentence(outcome.diagnosis.evidence)}"
            )
        return self.reason is not None

    def _no_engine_is_to_blame(self) -> bool:
        machinery = any(why.kind.is_infrastructure for _, why in self._row)
        return machinery or self.engines <= {engine for engine, _ in self._row}


def _against_rig(why: Diagnosis) -> bool:
    return why.kind.is_infrastructure or why.kind is FailureKind.DRIVER_OR_INSTALL


def _sentence(text: str) -> str:
    return f"{text.strip().rstrip('.')}."
