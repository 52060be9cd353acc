"""What an engine is to a worker: one shape, three implementations."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from search_spaces.candidate import Candidate
from search_spaces.recipe import DivergenceRecipe, PerplexityRecipe
from workers.contract.errors import OrchestrateError
from workers.contract.failure import Diagnosis, Phase
from workers.contract.outcome import LaunchRecord, Sample
from workers.contract.reports import EngineReport, RigReport


@dataclass(frozen=True, slots=True)
class Assets:
    """A candidate's files on this host."""

    model: Path
    drafter: Path | None = None


class RunningEngine(Protocol):
    """A server that answers /health, owned by the context manager that started it."""

    base_url: str
    record: LaunchRecord

    def alive(self) -> bool:
        """Whether the process still runs."""
        ...

    def returncode(self) -> int | None:
        """The exit status (negative: a signal); None while the process runs."""
        ...

    def log_text(self) -> str:
        """Everything the engine has logged so far, with escape codes removed."""
        ...


class EngineError(OrchestrateError):
    """An engine failed in a way that was diagnosed; becomes a `Failed` outcome.

    `record` is what was started, where it failed before it served.
    """

    exit_code = 4

    def __init__(self, diagnosis: Diagnosis, phase: Phase, log_tail: str = "") -> None:
        super().__init__(f"{diagnosis.kind}: {diagnosis.evidence.rstrip('.')}.", diagnosis.advice)
        self.diagnosis = diagnosis
        self.phase = phase
        self.log_tail = log_tail
        self.record: LaunchRecord | None = None

    def __reduce__(self) -> tuple[type[EngineError], tuple[Diagnosis, Phase, str]]:
        return type(self), (self.diagnosis, self.phase, self.log_tail)


class Engine(Protocol):
    """One llama.cpp-family build (or pair of builds) on this host."""

    name: str
    kind: str

    def probe(self) -> EngineReport:
        """What it can do; never raises for an odd binary: the report's `problem` says it."""
        ...

    def launch(
        self, candidate: Candidate, assets: Assets, rig: RigReport, log_path: Path
    ) -> AbstractContextManager[RunningEngine]:
        """Starts a server and waits until it answers. Raises EngineError."""
        ...

    def perplexity(
        self,
        candidate: Candidate,
        assets: Assets,
        rig: RigReport,
        recipe: PerplexityRecipe,
        log: Path,
    ) -> list[Sample]:
        """Negative log-likelihood (nats, sum) of each chunk. Raises EngineError."""
        ...

    def divergence(
        self,
        candidate: Candidate,
        assets: Assets,
        rig: RigReport,
        recipe: DivergenceRecipe,
        log: Path,
    ) -> list[Sample]:
        """KL divergence to the reference pair for each chunk (see facets/divergence)."""
        ...
