"""`orchestrate sweep`: measure a space, show the front, leave a page and commands."""

from __future__ import annotations

from pathlib import Path

from orchestrator.cli.doors import PoolKind
from orchestrator.cli.faults import stoppable
from orchestrator.cli.planning import plan_here, require_feasible, with_trials
from orchestrator.cli.pools import make_pool
from orchestrator.cli.progress import Progress
from orchestrator.cli.report import print_json, show_result, write_html
from orchestrator.cli.tables import console
from search_spaces.load import load
from workers.contract.errors import OrchestrateError


class EveryTrialFailedError(OrchestrateError):
    """Nothing was measured to the end."""

    exit_code = 4


def run(
    space: str,
    storage: str,
    pool_kind: PoolKind,
    rigs: list[str],
    trials: int | None,
    html: Path | None,
    log_dir: Path,
    as_json: bool,
) -> None:
    """Runs or resumes a sweep."""
    from db.database import open_database
    from orchestrator.analysis.collect import collect
    from orchestrator.analysis.summary import summarise
    from orchestrator.cli.exporting import Exporter
    from orchestrator.sweeping.session import Session

    loaded = with_trials(load(space), trials)
    out = console()
    with open_database(storage) as database:
        pool = make_pool(pool_kind)
        plan = plan_here(loaded, pool, rigs)
        require_feasible(plan)
        spoken_to = console(stderr=as_json)
        with Progress(spoken_to, loaded) as progress, stoppable():
            row = Session(plan, database, pool, progress, log_dir.absolute()).run()
        summary = summarise(collect(database, row), row.space)
        exporter = Exporter(database.hosts.of(row.id), summary.namer)
        if as_json:
            print_json(row, summary)
        else:
            show_result(out, row, summary, exporter)
        if html is not None:
            write_html(html, row, summary)
            spoken_to.print(f"Page: {html}", soft_wrap=True)
        if not any(group.front.placed for group in summary.groups):
            raise EveryTrialFailedError(
                "Every trial failed.", "See why with: orchestrate status, and the logs it names."
            )
