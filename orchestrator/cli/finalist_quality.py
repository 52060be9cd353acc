"""Programs of a sweep's finalists: what `orchestrate verify --quality` adds to its claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.analysis.records import Measured
from orchestrator.analysis.words import quantity
from orchestrator.cli.measure import narrowed, with_quality
from orchestrator.cli.planning import plan_here, require_feasible
from orchestrator.cli.programs import program_lines
from orchestrator.cli.progress import Progress
from orchestrator.sweeping.pools.base import Pool
from search_spaces.space import Space
from workers.contract.outcome import Estimate
from workers.quality.kept import Kept

if TYPE_CHECKING:
    from rich.console import Console

    from db.database import Database
    from orchestrator.sweeping.plan import Plan

METRIC = "quality_score"


@dataclass(frozen=True, slots=True)
class Planned:
    """A finalist, and the plan of its programs."""

    record: Measured
    plan: Plan


@dataclass(frozen=True, slots=True)
class Scored:
    """A finalist with the score of its programs; None where they could not be scored."""

    record: Measured
    score: Estimate | None
    programs: tuple[Kept, ...]


def plan_programs(
    space: Space, finalists: Sequence[Measured], pool: Pool, spoken_to: Console
) -> tuple[Planned, ...]:
    """Plans each, so that what is missing (a sandbox) is said before anything is launched.

    Raises OrchestrateError where programs cannot run here.
    """
    made = []
    for record in finalists:
        one = with_quality(narrowed(space, record.candidate.asked_key, []))
        plan = plan_here(one, pool, [record.rig], spoken_to)
        require_feasible(plan)
        made.append(Planned(record, plan))
    return tuple(made)


def score_finalists(
    planned: Sequence[Planned],
    database: Database,
    make_pool: Callable[[], Pool],
    log_root: Path,
    spoken_to: Console,
) -> tuple[Scored, ...]:
    """Measures quality of each, as `orchestrate measure --quality` does; the rest is known.

    What shares a model, an engine and K/V types shares its programs, and is asked once.
    """
    from orchestrator.analysis.collect import collect
    from orchestrator.analysis.programs import programs_of
    from orchestrator.sweeping.session import Session

    made = []
    for one in planned:
        with Progress(spoken_to, one.plan.space) as progress:
            row = Session(one.plan, database, make_pool(), progress, log_root).run()
        kept, key = programs_of(database, row.id), one.record.candidate.asked_key
        found = next(r for r in collect(database, row) if r.candidate.asked_key == key)
        programs = tuple(kept.get(found.trial_id, ()))
        made.append(Scored(one.record, found.estimates.get(METRIC), programs))
    return tuple(made)


def score_lines(scored: Sequence[Scored], name: Callable[[Measured], str]) -> list[str]:
    """A sentence for each finalist, then where the programs are."""
    lines = [
        f"{name(one.record)} · programs: "
        + (quantity(one.score) if one.score else "could not be scored; see orchestrate status")
        for one in scored
    ]
    kept: Mapping[int, tuple[Kept, ...]] = {one.record.trial_id: one.programs for one in scored}
    return [*lines, *program_lines(kept)]


def scores_as_json(scored: Sequence[Scored]) -> list[dict[str, object]]:
    """For programs: the score with its interval, and the files."""
    return [
        {
            "key": one.record.candidate.asked_key,
            "score": one.score.value if one.score else None,
            "low": one.score.low if one.score else None,
            "high": one.score.high if one.score else None,
            "answers": [str(kept.answer) for kept in one.programs],
        }
        for one in scored
    ]
