"""The signatures of the commands that give advice. Their work is imported when they run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from orchestrator.cli.doors import (
    DEFAULT_STORAGE,
    JsonOption,
    RigOption,
    StorageOption,
    SweepOption,
)


def recommend(
    storage: StorageOption = DEFAULT_STORAGE,
    sweep: SweepOption = None,
    rig: RigOption = None,
    vram_headroom: Annotated[
        str | None,
        typer.Option(
            "--vram-headroom", metavar="SIZE", help="Memory that must stay free, e.g. 1GiB."
        ),
    ] = None,
    min_ctx: Annotated[
        str | None,
        typer.Option("--min-ctx", metavar="TOKENS", help="The least context, e.g. 120000."),
    ] = None,
    max_ppl_delta: Annotated[
        str | None,
        typer.Option(
            "--max-ppl-delta", metavar="PERCENT", help="The most perplexity may rise, e.g. 0.5%."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what to use: for balance, speed, quality, context and energy, under your limits."""
    from orchestrator.cli.recommend import run

    run(storage, sweep, rig or [], vram_headroom, min_ctx, max_ppl_delta, as_json)


def doctor(
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="URL", help="A live server: http://HOST:PORT."),
    ] = None,
    window: Annotated[
        str, typer.Option("--window", metavar="TIME", help="How long to watch it.")
    ] = "10s",
    engine: Annotated[
        list[str] | None,
        typer.Option("--engine", metavar="PATH", help="A binary or folder; repeatable."),
    ] = None,
    storage: Annotated[
        str | None,
        typer.Option(
            "--storage",
            metavar="DATABASE",
            envvar="ORCHESTRATE_STORAGE",
            help="The database to look at; with --url, what to compare the server with.",
        ),
    ] = None,
    sweep: SweepOption = None,
    api_key: Annotated[
        str | None,
        typer.Option(
            "--api-key", metavar="KEY", envvar="ORCHESTRATE_API_KEY", help="The server's key."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find what is wrong with this machine, or with a live llama-server or vLLM."""
    from orchestrator.cli import doctor as work

    code = (
        work.machine(engine or [], storage, as_json)
        if url is None
        else work.server(url, window, storage, sweep, api_key, as_json)
    )
    raise typer.Exit(code)


DOORS: dict[str, Callable[..., None]] = {"recommend": recommend, "doctor": doctor}
