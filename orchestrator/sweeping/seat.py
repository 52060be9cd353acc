"""A seat: one rig at the desk of its class. Equal rigs sit at one desk and share its trials."""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.sweeping.anchors import Anchors
from orchestrator.sweeping.quarantine import Watch
from workers.contract.reports import RigReport


@dataclass
class Seat:
    """What is a rig's own: whether it is left out (`watch`), and whether it drifts (`anchors`)."""

    rig: RigReport
    watch: Watch
    anchors: Anchors = field(default_factory=Anchors)

    @property
    def name(self) -> str:
        """The rig's name."""
        return self.rig.name

    @property
    def able(self) -> bool:
        """Whether the rig gets work."""
        return self.watch.reason is None
