"""What a claim is: something the sweep said of a candidate, that a fresh run can refute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from db.states import ClaimVerdict
from orchestrator.analysis.comparer import Comparer
from orchestrator.analysis.dominance import Objectives
from orchestrator.analysis.records import Measured
from orchestrator.analysis.words import Namer
from workers.statistics.spread import Spread


@dataclass(frozen=True, slots=True)
class Case:
    """One finalist, as the sweep measured it (`first`) and afresh.

    `baseline` and `rivals` are fresh as well, from the same interleaved run; `comparer` knows
    that run's launch spread, `spread` that of sweep and run together. `was_member`: the sweep
    had it on the front. A claim is refuted at `level`: 5 % shared among all claims of a run.
    """

    first: Measured
    fresh: Measured
    baseline: Measured | None
    rivals: tuple[Measured, ...]
    objectives: Objectives
    comparer: Comparer
    spread: Spread | None
    was_member: bool
    namer: Namer
    level: float = 0.05


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a claim; the numbers are those of a `ClaimRow`."""

    verdict: ClaimVerdict
    sentence: str
    claimed: float | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None


class ClaimKind(Protocol):
    """One kind of claim. `name` is stored, `title` heads a column."""

    name: str
    title: str

    def made(self, case: Case) -> bool:
        """Whether the sweep claimed this of the candidate."""
        ...

    def judge(self, case: Case) -> Finding:
        """What the fresh run says; `case.fresh` and `case.baseline` are complete."""
        ...
