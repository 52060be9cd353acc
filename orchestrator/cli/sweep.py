"""`orchestrate sweep`: measure a space, show the front, leave a page and commands."""

from __future__ import annotations

import sys
from contextlib import nullcontext, redirect_stdout
from pathlib import Path

from orchestrator.cli.as_json import print_json
from orchestrator.cli.doors import PoolKind
from orchestrator.cli.faults import stoppable
from orchestrator.cli.outputs import check_file, make_directory
from orchestrator.cli.planning import plan_here, require_feasible, with_trials
from orchestrator.cli.pools import make_pool
from orchestrator.cli.progress import Progress
from orchestrator.cli.result import require_every_rig, require_measured, show_result
from orchestrator.cli.tables import console
from search_spaces.load import load


def run(
    space: str,
    storage: str,
    pool_kind: PoolKind,
    address: str | None,
    rigs: list[str],
    rig_file: Path | None,
    trials: int | None,
    html: Path | None,
    log_dir: Path,
    as_json: bool,
) -> None:
    """Runs or resumes a sweep."""
    from dashboards.static_page import write_page
    from db.database import open_database
    from orchestrator.analysis.collect import collect
    from orchestrator.analysis.exports.exporter import Exporter
    from orchestrator.analysis.summary import summarise
    from orchestrator.sweeping.session import Session

    loaded = with_trials(load(space), trials)
    if html is not None:
        check_file(html)
    log_root = make_directory(log_dir)
    out, spoken_to = console(), console(stderr=as_json)
    with open_database(storage) as database:
        pool = make_pool(pool_kind, address)
        plan = plan_here(loaded, pool, rigs, spoken_to, rig_file)
        require_feasible(plan)
        # Ray prints what it hears of lost nodes to standard output.
        aside = redirect_stdout(sys.stderr) if as_json else nullcontext()
        with stoppable(), aside, Progress(spoken_to, loaded) as progress:
            row = Session(plan, database, pool, progress, log_root).run()
        summary = summarise(collect(database, row), row.space)
        if as_json:
            print_json(row, summary)
        else:
            out.print()
            show_result(out, row, summary, Exporter(database.hosts.of(row.id), summary.namer))
        if html is not None:
            write_page(html, summary)
            spoken_to.print(f"Page: {html}", soft_wrap=True)
        require_every_rig(database.quarantines.of(row.id))
        require_measured(summary)
