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


DOORS: dict[str, Callable[..., None]] = {"recommend": recommend}
