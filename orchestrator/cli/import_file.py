"""`orchestrate import`: somebody else's numbers, beside one's own and never among them."""

from __future__ import annotations

import json
from pathlib import Path

from db.database import open_database
from db.repositories.whole_writing import imported_key
from orchestrator.analysis.sharing.archive_reading import is_archive
from orchestrator.analysis.sharing.format import BundleError
from orchestrator.analysis.sharing.reading import Incoming, read_bundle
from orchestrator.cli.tables import console


def run(file: Path, storage: str, as_json: bool) -> None:
    """Reads the file whole before the database is touched; a file that is there stays as it is."""
    with console(stderr=True).status(f"Reading {file.name}"):
        incoming = read(file)
    with open_database(storage) as database:
        known = database.sweeps.get(imported_key(incoming.origin))
        with console(stderr=True).status("Recording"):
            key = known.key if known else database.exchange.add(incoming.whole, incoming.origin)
        row = database.sweeps.find(key)
    trials = len(incoming.whole.trials)
    if as_json:
        facts = {"sweep": row.key, "name": row.name, "trials": trials, "new": known is None}
        print(json.dumps(facts, indent=2, ensure_ascii=False))
    elif known is not None:
        print(f"{file} is in {storage} already, as {row.name} ({row.key[:8]}).")
    else:
        print(f"Imported {row.name} ({row.key[:8]}) with {trials} trials.", *incoming.notes)
        print(f"Look at it: orchestrate pareto --sweep {row.key[:8]}")


def read(file: Path) -> Incoming:
    """A bundle, or what llama-bench printed. Raises BundleError."""
    try:
        with file.open("rb") as stream:
            head = stream.read(8)
    except OSError as error:
        raise BundleError(f"{file} cannot be read: {error.strerror}.") from None
    if is_archive(head):
        return read_bundle(file)
    from orchestrator.analysis.sharing.llama_bench import read_llama_bench

    return read_llama_bench(file)
