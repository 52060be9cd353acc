"""The signature of `orchestrate ceiling`. Its work is imported when it runs."""

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
    RigOption,
    SetOption,
    StorageOption,
    SweepOption,
)


def ceiling(
    candidate: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CANDIDATE",
            help="Of a sweep: keys, or best, fastest, finest, draft, front. Unset: best. "
            "With --space: one key.",
        ),
    ] = None,
    space: Annotated[
        str | None,
        typer.Option(
            "--space",
            "-s",
            metavar="FILE",
            help="A YAML file or a builtin space, instead of a sweep.",
        ),
    ] = None,
    setting: SetOption = None,
    step: Annotated[
        int | None,
        typer.Option("--step", metavar="TOKENS", min=256, help="How exact; 1024 when unset."),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option(
            "--max-ctx",
            metavar="TOKENS",
            min=256,
            help="The longest to try; the model's own limit when unset.",
        ),
    ] = None,
    attempts: Annotated[
        int | None,
        typer.Option(
            "--attempts", metavar="N", min=1, help="Launches where a failure may be chance."
        ),
    ] = None,
    limit: Annotated[
        float | None,
        typer.Option(
            "--limit", metavar="SECONDS", min=1, help="After which one request counts as hung."
        ),
    ] = None,
    storage: StorageOption = DEFAULT_STORAGE,
    sweep: SweepOption = None,
    rig: RigOption = None,
    pool: PoolOption = PoolKind.INLINE,
    log_dir: LogDirOption = Path("orchestrate-logs"),
    as_json: JsonOption = False,
) -> None:
    """Find the longest context that works when full, and what sets it: memory, a bug, chance."""
    from orchestrator.cli.ceiling import Asked, run

    how = {"step": step, "most": most, "attempts": attempts, "limit_s": limit}
    asked = Asked(tuple(candidate or ()), space, tuple(setting or ()), sweep, tuple(rig or ()))
    run(asked, {k: v for k, v in how.items() if v is not None}, storage, pool, log_dir, as_json)


DOORS: dict[str, Callable[..., None]] = {"ceiling": ceiling}
