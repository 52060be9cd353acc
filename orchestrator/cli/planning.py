"""What `plan`, `sweep` and `measure` share: from a space to a plan on this machine's rigs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.sweeping.plan import Plan, RigPlan, make_plan, survey_request
from orchestrator.sweeping.pools.base import Pool
from orchestrator.sweeping.rigs import rigs_of
from search_spaces.errors import SpaceError
from search_spaces.load import load_rigs
from search_spaces.names import did_you_mean
from search_spaces.parameters import candidate_of
from search_spaces.space import Budget, Space
from workers.contract.errors import OrchestrateError
from workers.contract.reports import HostReport, RigReport

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
    """Surveys this machine and plans. Raises SpaceError for an unknown rig or card.

    The rigs are those of `rig_file`, else those that the space names, else one for each card.

    Models may be downloaded here, so a terminal shows that something happens.
    """
    with spoken_to.status("Looking at engines and models"):
        given = space if rig_file is None else load_rigs(rig_file)
        host = pool.survey(survey_request(space))[0]
        host = replace(host, rigs=rigs_of(host, given.rigs, given.exclude_cards))
        return make_plan(space, host, chosen(host, rigs))


def chosen(host: HostReport, names: Sequence[str]) -> list[RigReport]:
    """The rigs by name, all of them when none is named."""
    known = {rig.name: rig for rig in host.rigs}
    for name in names:
        if name not in known:
            raise SpaceError(f"there is no rig {name!r} here.", hint=did_you_mean(name, known))
    return [known[name] for name in names] or list(host.rigs)


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
    if not reasons:
        raise NothingFeasibleError(f"The space {plan.space.name} holds no candidate.")
    count, why = max(reasons, key=lambda pair: pair[0])
    total = sum(rig.total for rig in plan.rigs)
    raise NothingFeasibleError(
        f"No candidate of {plan.space.name} can run here: {count} of {total} are out: "
        f"{why.reason.rstrip('.')}.",
        "See them all with: orchestrate plan.",
    )
