"""The `orchestrate` command: one file per subcommand, imported when it runs.

Exit codes: 0 ok, 1 a bug (with its traceback), 2 bad usage or input, 3 no feasible candidate,
4 every trial failed, 5 a rig was left out, 6 and 7 what `doctor` found, 8 a claim did not
survive, 9 the cluster is gone, 130 stopped.
"""

from __future__ import annotations

import sys

import typer

from orchestrator.cli import (
    advice_doors,
    ceiling_door,
    db_doors,
    doors,
    page_doors,
    sharing_doors,
    verify_door,
)
from orchestrator.cli.faults import exit_code_of, quiet_when_unread

app = typer.Typer(
    name="orchestrate",
    help="Finds the llama.cpp launch settings that nothing else beats, on your cards.",
    epilog=(
        "Exit codes: 0 done, 2 bad usage or input, 3 no candidate can run here, "
        "4 every trial failed, 5 a rig was left out, 6 and 7 what doctor found, "
        "8 a claim did not survive, 9 the cluster of Ray is gone, 130 stopped."
    ),
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
ROOMS = (doors, advice_doors, sharing_doors, page_doors, verify_door, ceiling_door)
for name, door in (named for room in ROOMS for named in room.DOORS.items()):
    about = door.__doc__ or ""
    short = about.partition(". ")[0].rstrip(".")
    app.command(name, help=about, short_help=short)(quiet_when_unread(door))
app.add_typer(db_doors.app, name="db")


def main() -> None:
    """Console entry point: faults become one sentence and an exit code."""
    try:
        # Not standalone: usage errors are then ours to print, like all others.
        code = app(sys.argv[1:] or ["--help"], prog_name="orchestrate", standalone_mode=False)
    except Exception as error:
        code = exit_code_of(error)
        if code is None:
            raise
    sys.exit(code)


if __name__ == "__main__":
    main()
