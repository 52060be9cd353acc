"""`orchestrate pareto`: the front, as a table, as JSON, or as a page."""

from __future__ import annotations

from pathlib import Path

from db.database import open_database
from orchestrator.analysis.collect import collect
from orchestrator.analysis.exports.exporter import Exporter
from orchestrator.analysis.summary import summarise
from orchestrator.cli.as_json import print_json
from orchestrator.cli.found import found
from orchestrator.cli.outputs import check_file
from orchestrator.cli.result import show_result
from orchestrator.cli.tables import console


def run(storage: str, sweep: str | None, html: Path | None, as_json: bool) -> None:
    """Shows a sweep's front; reads the database only."""
    if html is not None:
        check_file(html)
    with open_database(storage, read_only=True) as database:
        row = found(database, sweep)
        summary = summarise(collect(database, row), row.space)
        exporter = Exporter(database.hosts.of(row.id), summary.namer)
    if as_json:
        print_json(row, summary)
    elif html is None:
        show_result(console(), row, summary, exporter)
    if html is not None:
        from dashboards.static_page import write_page

        write_page(html, summary)
        if not as_json:
            print(f"Page: {html}")
