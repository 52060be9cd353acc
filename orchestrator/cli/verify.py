"""`orchestrate verify`: the finalists measured again, and what became of each claim."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from db.states import ClaimVerdict
from db.verification_rows import ClaimRow
from orchestrator.analysis.words import quantity
from orchestrator.cli.doors import PoolKind
from orchestrator.cli.exporting import chosen
from orchestrator.cli.faults import stoppable
from orchestrator.cli.finalist_quality import plan_programs, score_finalists
from orchestrator.cli.found import found
from orchestrator.cli.outputs import make_directory
from orchestrator.cli.planning import counted
from orchestrator.cli.pools import make_pool
from orchestrator.cli.tables import console
from orchestrator.cli.verify_result import print_result
from orchestrator.sweeping.estimate import spoken
from workers.contract.errors import OrchestrateError
from workers.contract.outcome import Failed

if TYPE_CHECKING:
    from rich.console import Console

    from orchestrator.analysis.records import Measured
    from orchestrator.analysis.summary import Summary
    from orchestrator.sweeping.verifying.run import Ran

SHORTEST = "shortest"  # the smallest draft length that is as fast as the fastest
_PICKS = ("best", "fastest", "finest", "draft")


class ClaimLostError(OrchestrateError):
    """A claim of the sweep did not survive."""

    exit_code = 8


def run(
    names: list[str],
    launches: int,
    seed: int | None,
    storage: str,
    sweep: str | None,
    pool_kind: PoolKind,
    log_dir: Path,
    quality: bool,
    as_json: bool,
) -> None:
    """Verifies a sweep's finalists; exit code 8 where a claim did not survive."""
    from db.database import open_database
    from orchestrator.analysis.collect import collect
    from orchestrator.analysis.summary import summarise
    from orchestrator.sweeping.plan import survey_request
    from orchestrator.sweeping.rigs import rigs_of
    from orchestrator.sweeping.verifying.plan import plan_verification, require_measured
    from orchestrator.sweeping.verifying.run import Verifier

    log_root = make_directory(log_dir)
    spoken_to = console(stderr=as_json)
    drawn = random.SystemRandom().randrange(2**31) if seed is None else seed
    with open_database(storage, read_only=True) as database:
        row = found(database, sweep)
    if row.imported is not None:
        raise OrchestrateError(
            f"{row.name} was imported: somebody else measured it, on another machine.",
            "Measure its space here with: orchestrate sweep. Then verify that.",
        )
    with open_database(storage) as database:
        summary = summarise(collect(database, row), row.space)
        picked = finalists(summary, names)
        require_measured(picked)
        pool = make_pool(pool_kind)
        with spoken_to.status("Looking at engines and models"):
            host = pool.survey(survey_request(row.space))[0]
            host = replace(host, rigs=rigs_of(host, row.space.rigs, row.space.exclude_cards))
        programs = plan_programs(row.space, picked, pool, spoken_to) if quality else ()
        plan = plan_verification(row, picked, summary.records, host, database, launches, drawn)
        spoken_to.print(
            f"{row.name}: {counted(len(plan.entries), 'candidate')} with baselines, "
            f"{launches} launches each, interleaved (seed {drawn}).",
            soft_wrap=True,
        )
        members = {r.trial_id for g in summary.groups for r in g.front.members}
        with stoppable("The sweep is as it was; the same command verifies anew."):
            teller = _Teller(spoken_to, summary)
            claims = Verifier(plan, database, pool, log_root, teller.heard).run(
                summary.records, members
            )
            scored = score_finalists(
                programs, database, lambda: make_pool(pool_kind), log_root, spoken_to
            )
    print_result(row, summary, claims, scored, drawn, launches, as_json)
    _require_survived(claims)


def finalists(summary: Summary, names: Sequence[str]) -> list[Measured]:
    """What to verify: by name as `export` names candidates, else every pick of every front."""
    wanted = list(names) or [pick for pick in _PICKS if _is_picked(summary, pick)] + [SHORTEST]
    shortest = [group.lengths[0].smallest for group in summary.groups if group.lengths]
    if SHORTEST in names and not shortest:
        raise OrchestrateError("Nothing with a draft length was measured.", "Name another pick.")
    records = [*chosen(summary, [name for name in wanted if name != SHORTEST])]
    records += shortest if SHORTEST in wanted else []
    made = list({record.trial_id: record for record in records}.values())
    if not made:
        raise OrchestrateError(
            "The sweep has no finalist: nothing was measured to the end.",
            "See why with: orchestrate status.",
        )
    return made


def _is_picked(summary: Summary, key: str) -> bool:
    return any(pick.key == key for group in summary.groups for pick in group.picks)


class _Teller:
    """One line a launch."""

    def __init__(self, out: Console, summary: Summary) -> None:
        self._out, self._namer = out, summary.namer
        self._many = len({record.rig for record in summary.records}) > 1

    def heard(self, ran: Ran) -> None:
        """Says how far it is, and about how long the rest takes."""
        name = self._namer.name(ran.record.candidate)
        name = f"{ran.run.rig}: {name}" if self._many else name
        if isinstance(ran.outcome, Failed):
            told = f"failed: {ran.outcome.diagnosis.evidence}"
        else:
            rates = (e for r in ran.outcome.results for e in r.estimates if e.metric == "tok_s")
            told = next((quantity(rate, interval=False) for rate in rates), "measured")
        left = ran.total - ran.done
        rest = f"  [{left} left, about {spoken(ran.eta_s)}]" if left else ""
        self._out.print(f"{ran.done:>3}/{ran.total}  {told}  {name}{rest}", soft_wrap=True)


def _require_survived(claims: Sequence[ClaimRow]) -> None:
    refuted = sum(claim.verdict is ClaimVerdict.REFUTED for claim in claims)
    undecided = sum(claim.verdict is ClaimVerdict.UNDECIDED for claim in claims)
    if refuted:
        raise ClaimLostError(
            f"{counted(refuted, 'claim')} of {len(claims)} did not survive.",
            "Look at what else differs (heat, other programs), or sweep again.",
        )
    if undecided:
        raise ClaimLostError(
            f"{counted(undecided, 'claim')} of {len(claims)} could not be decided.",
            "Verify with more --launches.",
        )
