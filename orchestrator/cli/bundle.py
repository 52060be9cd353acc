"""`orchestrate bundle`: one sweep in one file, for others to read and to repeat."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from db.database import open_database
from db.spaces import space_from_json
from db.whole import WholeSweep
from orchestrator.analysis.collect import collect
from orchestrator.analysis.records import Measured
from orchestrator.analysis.redact import Redactor
from orchestrator.analysis.report.facts import Facts
from orchestrator.analysis.report.make import make_report
from orchestrator.analysis.report.write import write
from orchestrator.analysis.sharing.archive_writing import archive, packer
from orchestrator.analysis.sharing.contents import contents
from orchestrator.analysis.sharing.logs import log_tails
from orchestrator.analysis.sharing.programs import programs
from orchestrator.analysis.sharing.redacting import redacted, redactor_of
from orchestrator.analysis.summary import summarise
from orchestrator.cli.found import found
from orchestrator.cli.outputs import check_file, write_bytes
from orchestrator.cli.tables import console


def run(output: Path | None, storage: str, sweep: str | None) -> None:
    """Writes the bundle; the database is only read."""
    with open_database(storage, read_only=True) as database:
        row = found(database, sweep)
        folder = re.sub(r"[^A-Za-z0-9._-]", "-", f"{row.name}-{row.key[:8]}")
        path = output or Path(f"{folder}.tar.gz")
        check_file(path)
        packer(path.name)
        with console(stderr=True).status(f"Reading {row.name}"):
            whole = database.exchange.read(row.id)
            records = collect(database, row)
            hosts, results = database.hosts.of(row.id), database.results(row.id)
            left_out = database.quarantines.of(row.id)
    with console(stderr=True).status("Taking out private names"):
        redactor = redactor_of(whole)
        clean = redacted(whole, redactor)
        more = log_tails(whole, redactor) | programs(whole, redactor)
    with console(stderr=True).status("Writing the report and the page"):
        facts = Facts.of(row, summarise(records, row.space), hosts, results, left_out)
        more["report.md"] = write(make_report(facts, redactor), "markdown").encode()
        more |= _page(clean, records, redactor)
    with console(stderr=True).status("Packing"):
        write_bytes(path, archive(path.name, redactor.text(folder), contents(clean, more)))
    print(f"Bundle: {path}")


def _page(clean: WholeSweep, records: tuple[Measured, ...], redactor: Redactor) -> dict[str, bytes]:
    """The page of the front, made of redacted records: a page itself is not to be searched."""
    from dashboards.static_page import write_page

    space = space_from_json(clean.space, clean.named_facets)
    summary = summarise([redacted(record, redactor) for record in records], space)
    with tempfile.TemporaryDirectory() as place:
        page = Path(place) / "front.html"
        write_page(page, summary)
        return {"charts/front.html": page.read_bytes()}
