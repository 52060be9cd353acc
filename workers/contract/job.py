"""A job: what a worker is asked to measure on one lease, with the rule for when to stop."""

from __future__ import annotations

from dataclasses import dataclass, field

from search_spaces.metrics import Facet
from search_spaces.recipe import Recipe
from search_spaces.space import EngineRef
from workers.contract.resolved import ResolvedCandidate


@dataclass(frozen=True, slots=True)
class Point:
    """A measured candidate to beat: speed in tok/s, quality as a loss (lower is better)."""

    tok_s: float
    loss: float


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """When to stop repeating; decided by the orchestrator, followed by the worker.

    A worker stops early when its interval lies clearly under a point of `to_beat` whose loss
    is no worse than `loss` (the candidate's own, None when unknown). `spread` is how far launches
    on this rig were seen to differ: the variance of log rate between launches, and its degrees
    of freedom; None while nothing is known.
    """

    precision: float = 0.02
    budget_s: float = 120.0
    to_beat: tuple[Point, ...] = ()
    loss: float | None = None
    spread: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One or more facets of one candidate that run together.

    `memo` gives the key of each facet. `known_effective` holds the resolved keys that are
    already measured: when the launch turns out to be one of them, nothing is measured again.
    `seed` orders the prompts. `deep` says that the requests of the depth facet are made: it is
    asked for, or the key of the memory facet says that it covers them.
    `mem_predicted_mib` is what the memory model expects, kept beside what is measured.
    """

    id: str
    resolved: ResolvedCandidate
    engine: EngineRef
    facets: tuple[Facet, ...]
    recipe: Recipe
    memo: dict[Facet, str]
    stop: StoppingRule = StoppingRule()
    known_effective: frozenset[str] = frozenset()
    deep: bool = False
    seed: int = 0
    attempt: int = 1
    log_dir: str = ""
    mem_predicted_mib: float | None = None
    tags: dict[str, str] = field(default_factory=dict)
