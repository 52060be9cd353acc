"""The signatures of commands that give sweeps away and take others' in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from orchestrator.cli.doors import DEFAULT_STORAGE, JsonOption, StorageOption, SweepOption


def bundle(
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="A .tar.gz or .zip to write. Unset: NAME-KEY.tar.gz here.",
        ),
    ] = None,
    storage: StorageOption = DEFAULT_STORAGE,
    sweep: SweepOption = None,
) -> None:
    """Pack a sweep for others: raw samples, logs, charts, environment, a script to repeat it."""
    from orchestrator.cli.bundle import run

    run(output, storage, sweep)


def import_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A bundle, or what llama-bench -o json, jsonl or sql printed."
        ),
    ],
    storage: StorageOption = DEFAULT_STORAGE,
    as_json: JsonOption = False,
) -> None:
    """Read somebody else's bundle, or llama-bench's output, beside your own sweeps."""
    from orchestrator.cli.import_file import run

    run(file, storage, as_json)


DOORS: dict[str, Callable[..., None]] = {"bundle": bundle, "import": import_}
