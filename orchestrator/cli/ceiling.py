"""`orchestrate ceiling`: the longest context that works, and what sets it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.analysis.ceiling.words import ended
from orchestrator.analysis.collect import collect
from orchestrator.analysis.summary import summarise
from orchestrator.cli.ceiling_result import print_result
from orchestrator.cli.doors import PoolKind
from orchestrator.cli.exporting import chosen as chosen_of_sweep
from orchestrator.cli.faults import stoppable
from orchestrator.cli.found import found
from orchestrator.cli.measure import narrowed
from orchestrator.cli.outputs import make_directory
from orchestrator.cli.planning import counted
from orchestrator.cli.pools import make_pool
from orchestrator.cli.tables import console
from orchestrator.sweeping.ceiling.entry import Entry, make_entry
from orchestrator.sweeping.estimate import spoken
from orchestrator.sweeping.fleet import chosen
from search_spaces.load import load
from search_spaces.parameters import candidate_of
from search_spaces.space import Space
from search_spaces.walk import assignments
from workers.contract.errors import OrchestrateError

if TYPE_CHECKING:
    from rich.console import Console

    from db.database import Database
    from orchestrator.sweeping.ceiling.run import Found, Tried
    from search_spaces.candidate import Candidate
    from workers.contract.reports import HostReport


class NothingRunsError(OrchestrateError):
    """A candidate whose ceiling was asked for runs at no context, or its rig was lost."""

    exit_code = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose ceiling is wanted: one candidate of a space, or some of a sweep."""

    names: tuple[str, ...]
    space: str | None
    settings: tuple[str, ...]
    sweep: str | None
    rigs: tuple[str, ...]


def run(
    asked: Asked,
    how: Mapping[str, float],
    storage: str,
    pool_kind: PoolKind,
    log_dir: Path,
    as_json: bool,
) -> None:
    """Looks for ceilings; exit code 4 where a candidate runs at no context."""
    from db.database import open_database
    from orchestrator.sweeping.ceiling.run import Ceilings
    from orchestrator.sweeping.plan import survey_request
    from orchestrator.sweeping.rigs import rigs_of

    log_root = make_directory(log_dir)
    spoken_to = console(stderr=as_json)
    with open_database(storage) as database:
        space, wanted = _wanted(asked, database)
        ceiling = space.measure.ceiling.model_copy(update=dict(how))
        measure = space.measure.model_copy(update={"ceiling": ceiling})
        space = space.model_copy(update={"measure": measure})
        pool = make_pool(pool_kind)
        with spoken_to.status("Looking at engines and models"):
            host = pool.survey(survey_request(space))[0]
            host = replace(host, rigs=rigs_of(host, space.rigs, space.exclude_cards))
        entries = _entries(space, host, wanted, asked.rigs, database)
        with stoppable("The same command goes on where it was."):
            made = Ceilings(database, pool, log_root, _Teller(spoken_to, entries).heard).run(
                entries
            )
    print_result(made, as_json)
    _require_ceilings(made)


def _wanted(asked: Asked, database: Database) -> tuple[Space, list[tuple[Candidate, str | None]]]:
    """Candidates with the rig they are wanted on; None for every rig that is here."""
    if asked.space is not None:
        if len(asked.names) > 1:
            raise OrchestrateError(
                "With --space one key names one candidate.", "Leave the others away."
            )
        key = asked.names[0] if asked.names else None
        one = narrowed(load(asked.space), key, list(asked.settings))
        return one, [(candidate_of(next(assignments(one))), None)]
    if asked.settings:
        raise OrchestrateError("--set needs --space.", "Name the space that the candidate is of.")
    row = found(database, asked.sweep)
    records = chosen_of_sweep(
        summarise(collect(database, row), row.space), asked.names or ("best",)
    )
    if any(record.simulated for record in records):
        raise OrchestrateError(
            f"{row.name} is simulated: there is no engine behind it.",
            "Name a space with --space instead.",
        )
    return row.space, [(record.candidate, record.rig) for record in records]


def _entries(
    space: Space,
    host: HostReport,
    wanted: Sequence[tuple[Candidate, str | None]],
    names: Sequence[str],
    database: Database,
) -> list[Entry]:
    """One entry for each launch that differs in more than its context."""
    from orchestrator.sweeping.ceiling.ground import ground_of

    (mine,) = chosen([host], names)
    grounds = {rig.name: ground_of(space, rig, host, database) for rig in mine.rigs}
    entries: dict[str, Entry] = {}
    for candidate, rig in wanted:
        if rig is not None and rig not in {one.name for one in host.rigs}:
            raise OrchestrateError(
                f"The rig {rig} of the sweep is not on this machine.",
                "Look for ceilings on the machine that measured it.",
            )
        for ground in [grounds[rig]] if rig in grounds else [] if rig else grounds.values():
            entry = make_entry(ground, candidate)
            entries.setdefault(entry.key, entry)
    if not entries:
        raise OrchestrateError("None of these candidates is of that rig.", "Leave --rig away.")
    return list(entries.values())


class _Teller:
    """One line an attempt."""

    def __init__(self, out: Console, entries: Sequence[Entry]) -> None:
        self._out, self._many = out, len(entries) > 1

    def heard(self, tried: Tried) -> None:
        """Says what was tried, how it ended, and about how long the rest takes."""
        which = f"{tried.entry.rig} {tried.entry.candidate.kv}: " if self._many else ""
        left = f"at most about {counted(tried.left, 'launch').replace('launchs', 'launches')}"
        rest = f"  [{left} left, {spoken(tried.eta_s)}]" if tried.left else ""
        self._out.print(
            f"{which}ctx {tried.attempt.ctx:,}  {ended(tried.attempt)}  "
            f"({spoken(tried.took_s)}){rest}",
            soft_wrap=True,
            markup=False,
            highlight=False,
        )


def _require_ceilings(made: Sequence[Found]) -> None:
    for one in made:
        if one.problem is not None:
            raise NothingRunsError(
                f"The search on {one.entry.rig} was given up: {one.problem.evidence.rstrip('.')}.",
                f"{one.problem.advice} Attempts that ended are kept.",
            )
    if any(not one.verdict.ctx_max for one in made):
        raise NothingRunsError(
            "No context works for a candidate.", "Its failure is above, with what to do."
        )
