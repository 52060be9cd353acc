"""`orchestrate export`: launch settings of measured candidates, stamped."""

from __future__ import annotations

from pathlib import Path

from db.database import open_database
from orchestrator.analysis.collect import collect
from orchestrator.analysis.exports.exporter import Exporter
from orchestrator.analysis.exports.registry import export
from orchestrator.analysis.summary import summarise
from orchestrator.cli.exporting import chosen
from orchestrator.cli.found import found
from orchestrator.cli.outputs import check_file, write_text


def run(
    names: list[str], form: str, output: Path | None, binary: str, storage: str, sweep: str | None
) -> None:
    """Prints the candidates in a format, or writes them to a file."""
    if output is not None:
        check_file(output)
    with open_database(storage, read_only=True) as database:
        row = found(database, sweep)
        summary = summarise(collect(database, row), row.space)
        exporter = Exporter(database.hosts.of(row.id), summary.namer, binary)
    text = export(form, [exporter.request(record) for record in chosen(summary, names)])
    if output is None:
        print(text, end="")
    else:
        write_text(output, text)
        print(f"Written: {output}")
