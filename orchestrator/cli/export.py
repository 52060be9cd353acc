"""`orchestrate export`: launch settings of measured candidates, stamped."""

from __future__ import annotations

from pathlib import Path

from db.database import open_database
from orchestrator.analysis.collect import collect
from orchestrator.analysis.exports.exporter import Exporter
from orchestrator.analysis.exports.registry import export, export_files, format_named
from orchestrator.analysis.summary import summarise
from orchestrator.cli.exporting import chosen
from orchestrator.cli.found import found
from orchestrator.cli.outputs import check_file, write_text


def run(
    names: list[str], form: str, output: Path | None, binary: str, storage: str, sweep: str | None
) -> None:
    """Prints the candidates in a format, or writes them to a file."""
    chosen_format = format_named(form)
    folder = chosen_format.one_per_file and output is not None and output.is_dir()
    if output is not None and not folder:
        check_file(output)
    with open_database(storage, read_only=True) as database:
        row = found(database, sweep)
        summary = summarise(collect(database, row), row.space)
        exporter = Exporter(database.hosts.of(row.id), summary.namer, binary, row.key[:8])
    requests = [exporter.request(record) for record in chosen(summary, names)]
    if output is None:
        print(export(form, requests), end="")
    elif folder:
        for name, text in export_files(form, requests).items():
            _write(output / name, text)
    else:
        _write(output, export(form, requests))


def _write(path: Path, text: str) -> None:
    write_text(path, text)
    print(f"Written: {path}")
