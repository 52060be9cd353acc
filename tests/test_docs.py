"""The documents say what the program does: commands, options, files."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from orchestrator.cli.main import app

ROOT = Path(__file__).resolve().parents[1]
CLI = typer.main.get_command(app)
README = ROOT / "README.md"
CLI_DOC = ROOT / "docs" / "cli.md"
DOCUMENTS = [README, *sorted((ROOT / "docs").glob("*.md"))]

FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED_COMMAND = re.compile(r"`orchestrate ((?:db )?[a-z]+)")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
# What stands in backticks and looks like a path of this repository.
OWN_PATH = re.compile(
    r"`((?:search_spaces|workers|db|orchestrator|dashboards|benchmarks|docs|tests)/[\w./-]*)`"
)


def commands() -> Iterator[tuple[str, Any]]:
    """Every command by what a person types, those of groups included."""
    for name, command in CLI.commands.items():  # type: ignore[attr-defined]
        below = getattr(command, "commands", None)
        if below is None:
            yield name, command
        else:
            yield from ((f"{name} {inner}", found) for inner, found in below.items())


COMMANDS = dict(commands())


def command_lines(document: Path) -> list[str]:
    """Each `orchestrate ...` line of the fenced blocks, without its comment."""
    blocks = FENCE.findall(document.read_text(encoding="utf-8"))
    lines = (line.strip() for block in blocks for line in block.splitlines())
    return [line.partition(" #")[0] for line in lines if line.startswith("orchestrate ")]


def section(name: str) -> str:
    """A command's part of the command line's document."""
    text = CLI_DOC.read_text(encoding="utf-8")
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return next((part for part in parts if part.startswith(f"{name}\n")), "")


def tracked() -> list[Path]:
    """Every text file of the repository, or of what was unpacked where there is no git."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in files if path.suffix != ".gguf" and path.is_file()]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_a_section_with_an_example(name: str) -> None:
    assert f"\norchestrate {name}" in section(name)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_is_explained_in_its_commands_section(name: str) -> None:
    rows = [line for line in section(name).splitlines() if line.startswith("| `")]
    explained = {word for row in rows for word in re.findall(r"`([^`]+)`", row.split("|")[1])}
    options = {
        spelling
        for parameter in COMMANDS[name].params
        for spelling in (parameter.opts if parameter.param_type_name == "option" else ())
    }
    arguments = {
        parameter.metavar
        for parameter in COMMANDS[name].params
        if parameter.param_type_name == "argument"
    }
    assert explained == (options - {"--help"}) | arguments


def test_the_exit_codes_are_those_of_the_help() -> None:
    table = section("Exit codes")
    assert set(re.findall(r"^\| (\d+) \|", table, re.MULTILINE)) == {*"0123456789", "130"}


def test_the_readme_names_the_commands_that_people_start_with() -> None:
    text = README.read_text(encoding="utf-8")
    assert "docs/cli.md" in text
    assert "make sweep" in text


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_that_is_named_exists(document: Path) -> None:
    named = set(NAMED_COMMAND.findall(document.read_text(encoding="utf-8")))
    assert named <= {*COMMANDS, "db"}


@pytest.mark.parametrize(
    ("document", "line"),
    [(document, line) for document in DOCUMENTS for line in command_lines(document)],
    ids=lambda value: value.name if isinstance(value, Path) else value,
)
def test_every_command_line_can_be_typed(document: Path, line: str) -> None:
    words = shlex.split(re.split(r"\s[|>&]", line)[0])[1:]
    name = next(name for name in COMMANDS if words[: len(name.split())] == name.split())
    # Checks every word against the command's options; runs nothing.
    COMMANDS[name].make_context(name, words[len(name.split()) :]).close()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_to_a_file(document: Path) -> None:
    links = LINK.findall(document.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_that_is_named_exists(document: Path) -> None:
    named = OWN_PATH.findall(document.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_blank_is_left_to_be_filled_in(document: Path) -> None:
    assert re.findall(r"@[A-Z_]+@", document.read_text(encoding="utf-8")) == []


# Written in parts, so that this file does not name what it looks for.
REGISTRIES = tuple(
    first + "." + last
    for first, last in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("anaconda", "org"),
        ("npmjs", "org"),
        ("crates", "io"),
        ("artifactory", ""),
    )
)
PRIVATE = re.compile(r"(?<![\w.$~-])/(?:work|root|home/\w+|Users/\w+)/\w")


def test_no_file_names_the_host_of_a_package_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {host}"
        for path in tracked()
        for host in REGISTRIES
        if host in path.read_text(encoding="utf-8", errors="replace")
    ]
    assert found == []


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    """Logs that others have published are quoted as they are."""
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in tracked()
        if path.suffix != ".jsonl"
        for match in PRIVATE.finditer(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []
