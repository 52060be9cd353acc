"""Help costs nothing: it is plain text, and nothing heavy is imported for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from orchestrator.cli.main import app
from tests.orchestrator.cli.calling import Caller, environment

HEAVY = {"ray", "optuna", "pandas", "plotly", "sqlalchemy", "numpy", "scipy", "alembic"}
COMMANDS = [command.name for command in app.registered_commands]

LIST_IMPORTS = """
import sys
from orchestrator.cli.main import main
try:
    main()
finally:
    print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def imported_for(*arguments: str) -> set[str]:
    """The packages that a process has imported once it has printed this help."""
    done = subprocess.run(
        [sys.executable, "-c", LIST_IMPORTS, *arguments, "--help"],
        capture_output=True,
        text=True,
        env=environment({}),
        check=True,
    )
    assert done.stdout.startswith("Usage: orchestrate")
    return set(done.stderr.split())


def test_the_summary_imports_nothing_heavy() -> None:
    packages = imported_for()
    assert "typer" in packages
    assert packages.isdisjoint(HEAVY | {"pydantic"})


@pytest.mark.parametrize("command", [["sweep"], ["db", "upgrade"]])
def test_a_commands_help_imports_nothing_heavy(command: list[str]) -> None:
    """Nothing of ours, that is: typer itself checks values with pydantic."""
    assert imported_for(*command).isdisjoint(HEAVY)


@pytest.mark.parametrize("command", [*COMMANDS, "db", "db upgrade"])
def test_every_command_has_help(orchestrate: Caller, command: str) -> None:
    said = orchestrate(*command.split(), "--help")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Usage: orchestrate {command} [OPTIONS]")


def test_the_summary_names_every_command_and_exit_code(orchestrate: Caller) -> None:
    said = orchestrate("--help")
    assert [line.split()[0] for line in said.out.splitlines() if line.startswith("  ")][2:] != []
    assert all(f"\n  {command} " in said.out for command in [*COMMANDS, "db"])
    words = " ".join(said.out.split())
    for code in ("0 done", "2 bad usage", "3 no candidate", "4 every trial failed", "130 stopped"):
        assert code in words


def test_without_a_command_there_is_help(orchestrate: Caller) -> None:
    said = orchestrate()
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Usage: orchestrate [OPTIONS] COMMAND")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["sweep"], "Missing option '--space' / '-s'. See: orchestrate sweep --help."),
        (["swep"], "No such command 'swep'. Did you mean 'sweep'? See: orchestrate --help."),
        (["status", "--jsn"], "No such option: --jsn (Possible options: --json). See: "),
        (["db"], "Missing command. See: orchestrate db --help."),
        (["sweep", "-s", "x", "--trials", "0"], "Invalid value for '--trials': Input should be "),
        (["sweep", "-s", "x", "--trials", "many"], "Invalid value for '--trials': Input should "),
        (["sweep", "-s", "x", "--pool", "slurm"], "Invalid value for '--pool': "),
        (
            ["rigs", "here"],
            "Got unexpected extra argument(s) (here). See: ",
        ),
    ],
)
def test_wrong_usage_is_one_sentence(orchestrate: Caller, arguments: list[str], says: str) -> None:
    said = orchestrate(*arguments)
    assert (said.code, said.out) == (2, "")
    assert said.sentence.startswith(says)
