"""`orchestrate export`: launch settings of measured candidates, stamped."""

from __future__ import annotations

from pathlib import Path

from db.database import open_database
from orchestrator.analysis.collect import collect
from orchestrator.analysis.exports.registry import export
from orchestrator.analysis.summary import summarise
from orchestrator.cli.exporting import Exporter, chosen


def run(
    names: list[str], form: str, output: Path | None, binary: str, storage: str, sweep: str | None
) -> None:
    """Prints the candidates in a format, or writes them to a file."""
    with open_database(storage, read_only=True) as database:
        row = database.sweeps.find(sweep or "latest")
        summary = summarise(collect(database, row), row.space)
        exporter = Exporter(database.hosts.of(row.id), summary.namer, binary)
    requests = [exporter.request(record) for record in chosen(summary, names)]
    text = export(form, requests)
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, encoding="utf-8")
        print(f"Written: {output}")
