"""The signatures of `orchestrate db`. Their work is imported when they run."""

from __future__ import annotations

from typing import Annotated

import typer

from orchestrator.cli.doors import DEFAULT_STORAGE

app = typer.Typer(short_help="Look after a database", rich_markup_mode=None)


@app.callback()
def db() -> None:
    """Look after a database."""


@app.command(short_help="Bring a database to this version's schema")
def upgrade(
    database: Annotated[
        str,
        typer.Argument(
            metavar="DATABASE",
            envvar="ORCHESTRATE_STORAGE",
            help="Path of an SQLite file, or a database URL.",
        ),
    ] = DEFAULT_STORAGE,
) -> None:
    """Bring a database of an older orchestrate to this version's schema.

    An SQLite file is copied first, to NAME.bak-SCHEMA beside it.
    """
    from orchestrator.cli.db_upgrade import run

    run(database)
