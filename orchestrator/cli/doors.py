"""The signatures of every subcommand. Their work is imported when they run, not before."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from search_spaces.builtin import builtin_names, profile_names

DEFAULT_STORAGE = "orchestrate.db"


class PoolKind(StrEnum):
    """Where workers run."""

    RAY = "ray"
    INLINE = "inline"


SpaceOption = Annotated[
    str,
    typer.Option(
        "--space",
        "-s",
        metavar="FILE",
        help=f"A YAML file, or the name of a builtin space: {', '.join(builtin_names())}.",
    ),
]
StorageOption = Annotated[
    str,
    typer.Option(
        "--storage",
        metavar="DATABASE",
        envvar="ORCHESTRATE_STORAGE",
        help="Path of an SQLite file, or a database URL.",
    ),
]
PoolOption = Annotated[
    PoolKind, typer.Option("--pool", help="ray: an actor per rig. inline: this process only.")
]
RigOption = Annotated[
    list[str] | None,
    typer.Option("--rig", metavar="NAME", help="Only these rigs, by name; repeatable."),
]
RigFileOption = Annotated[
    Path | None,
    typer.Option("--rigs", metavar="FILE", help="A YAML file that names rigs and their cards."),
]
AddressOption = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="HOST:PORT",
        help="A cluster of Ray to use, or auto. See docs/fleet.md.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
LogDirOption = Annotated[
    Path,
    typer.Option(
        "--log-dir", metavar="FOLDER", help="Where engine logs are kept, one folder per job."
    ),
]
SweepOption = Annotated[
    str | None,
    typer.Option("--sweep", metavar="NAME", help="Name or key of a sweep; the latest when unset."),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A parameter, e.g. --set kv=q8_0/q8_0; repeatable."
    ),
]


def sweep(
    space: SpaceOption,
    storage: StorageOption = DEFAULT_STORAGE,
    pool: PoolOption = PoolKind.RAY,
    address: AddressOption = None,
    rig: RigOption = None,
    rigs: RigFileOption = None,
    trials: Annotated[
        int | None,
        typer.Option(
            "--trials", metavar="N", min=1, help="Trials per rig, instead of the space's."
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Page of the front, written at the end."),
    ] = Path("pareto.html"),
    log_dir: LogDirOption = Path("orchestrate-logs"),
    rig_profile: Annotated[
        str | None, typer.Option("--rig-profile", metavar="NAME", hidden=True)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure a space and show the front. The same command resumes what was interrupted."""
    from orchestrator.cli.profile_planning import refuse_profile
    from orchestrator.cli.sweep import run

    refuse_profile(rig_profile)
    run(space, storage, pool, address, rig or [], rigs, trials, html, log_dir, as_json)


def plan(
    space: SpaceOption,
    address: AddressOption = None,
    rig: RigOption = None,
    rigs: RigFileOption = None,
    rig_profile: Annotated[
        str | None,
        typer.Option(
            "--rig-profile",
            metavar="NAME",
            help="Plan for a rig that is not here: a YAML file, or a builtin profile: "
            f"{', '.join(profile_names())}.",
        ),
    ] = None,
    model_headers: Annotated[
        Path | None,
        typer.Option(
            "--model-headers",
            metavar="FOLDER",
            help="More headers that stand in for model files; with --rig-profile.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what a sweep would run, what is out and why, and how long it takes. Runs nothing."""
    from orchestrator.cli.plan import run

    run(space, address, rig or [], rigs, rig_profile, model_headers, as_json)


def measure(
    space: SpaceOption,
    candidate: Annotated[
        str | None,
        typer.Argument(metavar="KEY", help="Key (or its start) of a candidate of the space."),
    ] = None,
    setting: SetOption = None,
    storage: StorageOption = DEFAULT_STORAGE,
    pool: PoolOption = PoolKind.INLINE,
    log_dir: LogDirOption = Path("orchestrate-logs"),
    quality: Annotated[
        bool, typer.Option("--quality", help="Also let the model write programs, and score them.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure one candidate, named by its key or by its parameters."""
    from orchestrator.cli.measure import run

    run(space, candidate, setting or [], storage, pool, log_dir, quality, as_json)


def status(
    storage: StorageOption = DEFAULT_STORAGE,
    sweep: SweepOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what sweeps are in a database and how far they are, also while one runs."""
    from orchestrator.cli.status import run

    run(storage, sweep, as_json)


def pareto(
    storage: StorageOption = DEFAULT_STORAGE,
    sweep: SweepOption = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write the page of the front here."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the front: what nothing else beats, with intervals; ties shown as ties."""
    from orchestrator.cli.pareto import run

    run(storage, sweep, html, as_json)


def report(
    sweep: SweepOption = None,
    storage: StorageOption = DEFAULT_STORAGE,
    rig: RigOption = None,
    form: Annotated[
        str,
        typer.Option("--format", "-f", metavar="NAME", help="markdown, json or csv."),
    ] = "markdown",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File to write instead of printing."),
    ] = None,
) -> None:
    """Write a sweep in the form people post, with every number's interval; or for programs."""
    from orchestrator.cli.report import run

    run(sweep, storage, rig or [], form, output)


def export(
    candidate: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CANDIDATE",
            help="Keys, or: best (knee), fastest, finest, extremes, draft, front. Unset: best.",
        ),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="command, powershell, ini, env, json, config, llama-swap, compose, "
            "systemd or ollama.",
        ),
    ] = "command",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="PATH", help="File (or folder) to write instead of printing."
        ),
    ] = None,
    binary: Annotated[
        str,
        typer.Option("--binary", metavar="PATH", help="The llama-server to name in commands."),
    ] = "llama-server",
    storage: StorageOption = DEFAULT_STORAGE,
    sweep: SweepOption = None,
) -> None:
    """Print launch settings of measured candidates, stamped with what was measured."""
    from orchestrator.cli.export import run

    run(candidate or ["best"], form, output, binary, storage, sweep)


def engines(
    path: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Binaries or folders. Unset: the embedded engine."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Probe engines: what each build can do, and how it spells its flags."""
    from orchestrator.cli.engines import run

    run(path or [], as_json)


def rigs(
    rigs: RigFileOption = None, address: AddressOption = None, as_json: JsonOption = False
) -> None:
    """List this machine's rigs, or a cluster's: its cards, or its CPU."""
    from orchestrator.cli.rigs import run

    run(rigs, address, as_json)


DOORS: dict[str, Callable[..., None]] = {
    "sweep": sweep,
    "plan": plan,
    "measure": measure,
    "status": status,
    "pareto": pareto,
    "report": report,
    "export": export,
    "engines": engines,
    "rigs": rigs,
}
