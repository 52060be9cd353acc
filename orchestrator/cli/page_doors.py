"""The signature of `orchestrate dashboard`. Its work is imported when it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from orchestrator.cli.doors import DEFAULT_STORAGE, StorageOption


def dashboard(
    storage: StorageOption = DEFAULT_STORAGE,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="Address to listen on; any but this machine's own needs the printed token.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option("--port", metavar="N", min=0, max=65535, help="Port; 0 takes a free one."),
    ] = 8060,
) -> None:
    """Serve the pages of a database, live while a sweep runs. Reads it only; Ctrl-C ends it."""
    from orchestrator.cli.dashboard import run

    run(storage, host, port)


DOORS = {"dashboard": dashboard}
