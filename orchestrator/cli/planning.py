"""What `plan`, `sweep` and `measure` share: from a space to a plan on this machine's rigs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.sweeping.fleet import chosen, with_rigs
from orchestrator.sweeping.plan import Plan, RigPlan, make_fleet_plan, survey_request
from orchestrator.sweeping.pools.base import Pool
from search_spaces.load import load_rigs
from search_spaces.parameters import candidate_of
from search_spaces.space import Budget, Space
from workers.contract.errors import OrchestrateError

if TYPE_CHECKING:
    from rich.console import Console


class NothingFeasibleError(OrchestrateError):
    """Every candidate is out on every rig."""

    exit_code = 3


def plan_here(
    space: Space,
    pool: Pool,
    rigs: Sequence[str],
    spoken_to: Console,
    rig_file: Path | None = None,
) -> Plan:
    """Surveys the pool's hosts and plans. Raises SpaceError for an unknown rig or card.

    The rigs are those of `rig_file`, else those that the space names, else one for each card.

    Models may be downloaded here, so a terminal shows that something happens.
    """
    with spoken_to.status("Looking at engines and models"):
        given = space if rig_file is None else load_rigs(rig_file)
        hosts = with_rigs(pool.survey(survey_request(space)), given.rigs, given.exclude_cards)
        return make_fleet_plan(space, chosen(hosts, rigs))


def with_trials(space: Space, trials: int | None) -> Space:
    """The space with another number of trials."""
    if trials is None:
        return space
    budget = Budget(trials=trials, minutes=space.budget.minutes)
    return space.model_copy(update={"budget": budget})


def trials_of(plan: Plan, rig: RigPlan) -> int:
    """How many trials a rig will make: baselines count, also those that are no candidates."""
    every = {candidate_of(a).canonical() for a in (*rig.feasible, *rig.baselines)}
    return min(len(every), plan.space.budget.trials)


def counted(number: int, what: str) -> str:
    """1 trial, 2 trials, 3,000 trials."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def require_feasible(plan: Plan) -> None:
    """Raises NothingFeasibleError that names the most frequent reason."""
    if plan.feasible:
        return
    reasons = [(count, why) for rig in plan.rigs for why, count in rig.out.items()]
    if not plan.rigs:
        raise NothingFeasibleError(
            f"No host can take part. {' '.join(plan.warnings)}".strip(), "See docs/fleet.md."
        )
    if not reasons:
        raise NothingFeasibleError(f"The space {plan.space.name} holds no candidate.")
    count, why = max(reasons, key=lambda pair: pair[0])
    total = sum(rig.total for rig in plan.rigs)
    raise NothingFeasibleError(
        f"No candidate of {plan.space.name} can run here: {count} of {total} are out: "
        f"{why.reason.rstrip('.')}.",
        "See them all with: orchestrate plan.",
    )
