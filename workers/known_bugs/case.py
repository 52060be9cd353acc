"""A launch as far as bugs ask about it."""

from __future__ import annotations

from dataclasses import dataclass

from search_spaces.candidate import Candidate
from workers.contract.model_header import ModelHeader
from workers.contract.reports import EngineReport, HostReport, RigReport

# The embedded engine is mainline's code, with mainline's numbers.
_FAMILY = {"embedded": "mainline"}


@dataclass(frozen=True)
class Case:
    """A candidate on an engine and a rig; headers are None where they could not be read.

    `role` is the build that makes the numbers in question: server or logits.
    """

    candidate: Candidate
    engine: EngineReport
    rig: RigReport
    target: ModelHeader | None = None
    drafter: ModelHeader | None = None
    role: str = "server"

    @classmethod
    def of(cls, candidate: Candidate, host: HostReport, rig: RigReport) -> Case | None:
        """From what a host reported; None where the engine was not found there."""
        engine = host.engine(candidate.engine)
        if engine is None:
            return None
        target, drafter = host.model(candidate.model), host.model(candidate.drafter)
        return cls(
            candidate,
            engine,
            rig,
            target.gguf if target else None,
            drafter.gguf if drafter else None,
        )

    @property
    def dialect(self) -> str | None:
        """Whose build numbers these are; None where the engine could not be probed."""
        able = self.engine.capabilities
        return None if able is None else _FAMILY.get(able.dialect, able.dialect)

    @property
    def label(self) -> str:
        """The label of the build in question."""
        build = self.engine.build(self.role)
        return build.label if build else ""
