"""The signature of `orchestrate verify`. Its work is imported when it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from orchestrator.cli.doors import (
    DEFAULT_STORAGE,
    JsonOption,
    LogDirOption,
    PoolKind,
    PoolOption,
    StorageOption,
    SweepOption,
)


def verify(
    candidate: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CANDIDATE",
            help="Keys, or: best, fastest, finest, draft, shortest, front. Unset: every pick.",
        ),
    ] = None,
    launches: Annotated[
        int, typer.Option("--launches", metavar="N", min=2, help="Launches of each candidate.")
    ] = 4,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", min=0, help="Makes the order; drawn when unset."),
    ] = None,
    storage: StorageOption = DEFAULT_STORAGE,
    sweep: SweepOption = None,
    pool: PoolOption = PoolKind.RAY,
    log_dir: LogDirOption = Path("orchestrate-logs"),
    quality: Annotated[
        bool,
        typer.Option("--quality", help="Also score programs that the finalists write (slow)."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure the finalists again, interleaved with their baseline: does each claim hold?"""
    from orchestrator.cli.verify import run

    run(candidate or [], launches, seed, storage, sweep, pool, log_dir, quality, as_json)


DOORS: dict[str, Callable[..., None]] = {"verify": verify}
