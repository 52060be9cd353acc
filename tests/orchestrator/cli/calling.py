"""The command called as a person calls it: in this process, or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from orchestrator.cli.main import main

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Said:
    """How the command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """The one line on standard error, without the command's name; asserts that it is one."""
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("orchestrate: ")
        return self.err.removeprefix("orchestrate: ").rstrip("\n")


@dataclass(frozen=True)
class Caller:
    """Calls the console entry point in this process."""

    capsys: pytest.CaptureFixture[str]

    def __call__(self, *arguments: object) -> Said:
        """Runs the command with these arguments to its end."""
        words = ["orchestrate", *map(str, arguments)]
        with mock.patch.object(sys, "argv", words), pytest.raises(SystemExit) as ended:
            main()
        said = self.capsys.readouterr()
        assert isinstance(ended.value.code, int | None)
        return Said(ended.value.code or 0, said.out, said.err)


def words(*arguments: object) -> list[str]:
    """The command line that starts it in a process of its own."""
    return [sys.executable, "-m", "orchestrator.cli.main", *map(str, arguments)]


def in_process(*arguments: object, **variables: str) -> Said:
    """The same in a process of its own, with these variables added."""
    done = subprocess.run(
        words(*arguments), capture_output=True, text=True, env=environment(variables), cwd=ROOT
    )
    return Said(done.returncode, done.stdout, done.stderr)


def environment(variables: Mapping[str, Any]) -> dict[str, str]:
    """This process' environment without what steers colours, and with these variables."""
    steering = {"NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS"}
    kept = {name: value for name, value in os.environ.items() if name not in steering}
    return {**kept, **variables}
