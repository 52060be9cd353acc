"""What goes where: plain text into pipes and files, silence when the reader goes away."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.orchestrator.cli.calling import ROOT, environment, in_process, words
from tests.orchestrator.cli.scenes import Scene

ESCAPE = "\x1b"


def on_a_terminal(*arguments: object, **variables: str) -> str:
    """What the command shows on a terminal of 120 columns."""
    ours, theirs = pty.openpty()
    shown = b""
    with subprocess.Popen(
        words(*arguments),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment({"TERM": "xterm-256color", "COLUMNS": "120", **variables}),
        cwd=ROOT,
    ):
        os.close(theirs)
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:
            pass  # Linux says so when the other side has closed
        finally:
            os.close(ours)
    return shown.decode()


def test_a_terminal_gets_bold_titles(swept: Scene) -> None:
    assert f"{ESCAPE}[1mFront: rtx" in on_a_terminal("pareto", "--storage", swept.storage)


@pytest.mark.parametrize(
    "variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb"]
)
def test_no_escape_codes_where_none_are_wanted(swept: Scene, variables: dict[str, str]) -> None:
    shown = on_a_terminal("pareto", "--storage", swept.storage, **variables)
    assert "Front: rtx" in shown
    assert ESCAPE not in shown


@pytest.mark.parametrize("command", ["pareto", "status", "export"])
def test_no_escape_codes_into_a_pipe(swept: Scene, command: str) -> None:
    said = in_process(command, "--storage", swept.storage)
    assert (said.code, said.err) == (0, "")
    assert ESCAPE not in said.out


@pytest.mark.parametrize("command", ["pareto", "status"])
def test_lines_in_a_pipe_are_neither_cut_nor_filled_up(swept: Scene, command: str) -> None:
    lines = in_process(command, "--storage", swept.storage, COLUMNS="20").out.splitlines()
    assert all(line == line.rstrip() for line in lines)
    assert not any("…" in line for line in lines)


def test_a_narrow_terminal_loses_columns_that_are_no_goals_and_says_so(swept: Scene) -> None:
    shown = on_a_terminal("pareto", "--storage", swept.storage, COLUMNS="80", NO_COLOR="1")
    heads = next(line for line in shown.splitlines() if line.startswith("key "))
    assert heads.split()[:4] == ["key", "candidate", "tok/s", "PPL"]
    assert "accepted" not in heads
    assert "Not shown, for lack of room: " in shown


@pytest.mark.parametrize("command", ["pareto", "pareto --json", "status", "export front -f json"])
def test_a_reader_that_goes_away_early_is_no_fault(swept: Scene, command: str) -> None:
    """As `| head -1` does, only sooner: nobody ever reads."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            words(*command.split(), "--storage", swept.storage),
            stdout=pipe,
            stderr=subprocess.PIPE,
            text=True,
            env=environment({}),
            cwd=ROOT,
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_names_from_outside_are_shown_as_they_are(tmp_path: Path) -> None:
    """Square brackets and colons are no markup."""
    (tmp_path / "odd.yaml").write_text(
        "name: odd\ntitle: '[bold]x[/nope] :fire: \\\\'\nfixed: {model: no.gguf}\n"
        "parameters: {ctx: [512]}\nobjectives: [tok_s]\n"
    )
    said = in_process("plan", "--space", tmp_path / "odd.yaml")
    assert "odd: [bold]x[/nope] :fire: \\" in said.out
