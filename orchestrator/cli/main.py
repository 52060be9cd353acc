"""The `orchestrate` command: one file per subcommand, imported when it runs.

Exit codes: 0 ok, 1 unexpected, 2 bad space or usage, 3 no feasible candidate, 4 every trial
failed, 130 interrupted.
"""

from __future__ import annotations

import sys

import typer

from orchestrator.cli import doors

app = typer.Typer(
    name="orchestrate",
    help="Finds the llama.cpp launch settings that nothing else beats, on your cards.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for name, door in doors.DOORS.items():
    app.command(name, help=door.__doc__)(door)


def main() -> None:
    """Console entry point: faults become one sentence and an exit code."""
    from orchestrator.cli.faults import exit_code_of

    try:
        app(standalone_mode=True)
    except SystemExit:
        raise
    except BaseException as error:
        code = exit_code_of(error)
        if code is None:
            raise
        sys.exit(code)


if __name__ == "__main__":
    main()
