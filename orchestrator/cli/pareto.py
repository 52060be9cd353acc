"""`orchestrate pareto`: the front, as a table, as JSON, or as a page."""

from __future__ import annotations

from pathlib import Path

from db.database import open_database
from orchestrator.analysis.collect import collect
from orchestrator.analysis.summary import summarise
from orchestrator.cli.exporting import Exporter
from orchestrator.cli.report import print_json, show_result, write_html
from orchestrator.cli.tables import console


def run(storage: str, sweep: str | None, html: Path | None, as_json: bool) -> None:
    """Shows a sweep's front; reads the database only."""
    with open_database(storage, read_only=True) as database:
        row = database.sweeps.find(sweep or "latest")
        summary = summarise(collect(database, row), row.space)
        exporter = Exporter(database.hosts.of(row.id), summary.namer)
    if as_json:
        print_json(row, summary)
    elif html is None:
        show_result(console(), row, summary, exporter)
    if html is not None:
        write_html(html, row, summary)
        if not as_json:
            print(f"Page: {html}")
