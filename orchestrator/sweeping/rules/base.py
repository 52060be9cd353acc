"""What excludes a candidate before anything runs. One small rule per file, found by registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from orchestrator.sweeping.probes import Probes
from search_spaces.candidate import Candidate
from search_spaces.space import Space
from workers.contract.reports import EngineReport, HostReport, ModelReport, RigReport


@dataclass(frozen=True)
class Ground:
    """What rules stand on: the space, one rig, what its host reported, what launches told."""

    space: Space
    rig: RigReport
    host: HostReport
    probes: Probes = field(default_factory=Probes)

    def engine(self, candidate: Candidate) -> EngineReport | None:
        """The report of the candidate's engine."""
        return self.host.engine(candidate.engine)

    def model(self, candidate: Candidate) -> ModelReport | None:
        """The report of the candidate's target."""
        return self.host.model(candidate.model)

    def drafter(self, candidate: Candidate) -> ModelReport | None:
        """The report of the candidate's drafter, None when it has none."""
        return self.host.model(candidate.drafter) if candidate.drafter else None


@dataclass(frozen=True, slots=True)
class Excluded:
    """Why a candidate is out: the rule's name, and a sentence for a person."""

    rule: str
    reason: str


Rule = Callable[[Ground, Candidate], str | None]
"""Returns the sentence that excludes the candidate, or None."""
