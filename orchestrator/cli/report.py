"""`orchestrate report`: a sweep in the form people post, or for programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from db.database import open_database
from orchestrator.analysis.collect import collect
from orchestrator.analysis.records import Measured
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.make import make_report
from orchestrator.analysis.report.private import redactor_for
from orchestrator.analysis.report.write import format_named, write
from orchestrator.analysis.summary import summarise
from orchestrator.cli.found import found
from orchestrator.cli.outputs import check_file, write_text
from search_spaces.names import did_you_mean
from workers.contract.errors import OrchestrateError


def run(sweep: str | None, storage: str, rigs: list[str], form: str, output: Path | None) -> None:
    """Prints the report, or writes it to a file."""
    format_named(form)
    if output is not None:
        check_file(output)
    with open_database(storage, read_only=True) as database:
        row = found(database, sweep)
        records = _of_rigs(collect(database, row), rigs)
        hosts, results = database.hosts.of(row.id), database.results(row.id)
        left_out = [out for out in database.quarantines.of(row.id) if not rigs or out.rig in rigs]
    summary = summarise(records, row.space)
    facts = Facts.of(row, summary, hosts, results, left_out)
    text = write(make_report(facts, redactor_for(row, hosts, results)), form)
    if output is None:
        print(text, end="")
    else:
        write_text(output, text)
        print(f"Written: {output}")


def _of_rigs(records: Sequence[Measured], rigs: Sequence[str]) -> tuple[Measured, ...]:
    """The records of these rigs, of all where none is named. Raises OrchestrateError."""
    known = {record.rig for record in records}
    for name in rigs:
        if name not in known:
            raise OrchestrateError(
                f"The sweep has measured nothing on a rig {name!r}.", did_you_mean(name, known)
            )
    return tuple(record for record in records if not rigs or record.rig in rigs)
